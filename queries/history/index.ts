import { showCheckpoint } from './checkpoint.ts';
import { showConsistency } from './consistency.ts';
import { showDivergences } from './divergences.ts';
import { showKey } from './key.ts';
import { showProof } from './proof.ts';

export const historyQueries = [showCheckpoint, showKey, showProof, showConsistency, showDivergences];
