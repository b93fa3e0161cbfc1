import { showCheckpoint } from './checkpoint.ts';
import { compareCheckpoints, listCheckpoints, showCheckpointProof } from './checkpoints.ts';
import { showConsistency } from './consistency.ts';
import { showDivergences } from './divergences.ts';
import { showEntryProof } from './entry-proof.ts';
import { showKey } from './key.ts';
import { showProof } from './proof.ts';
import { showPublishedCheckpoint } from './published.ts';

export { unreportedDamage } from './damage.ts';

export const historyQueries = [
  showCheckpoint,
  showPublishedCheckpoint,
  showKey,
  showProof,
  showConsistency,
  showDivergences,
  listCheckpoints,
  compareCheckpoints,
  showCheckpointProof,
  showEntryProof,
];
