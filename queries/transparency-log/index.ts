import { showCheckpoint } from './checkpoint.ts';
import { compareCheckpoints, listCheckpoints, showCheckpointProof } from './checkpoints.ts';
import { showConsistency } from './consistency.ts';
import { showCosignedCheckpoints } from './cosigned-checkpoints.ts';
import { showDivergences } from './divergences.ts';
import { showEntryProof } from './entry-proof.ts';
import { showKey } from './key.ts';
import { showProof } from './proof.ts';
import { showPublishedCheckpoint } from './published.ts';
import { showWitnesses } from './witnesses.ts';

export { eventsOfAct } from './act-events.ts';
export { provenEvent } from './facts.ts';
export { unreportedDamage } from './damage.ts';

export const historyQueries = [
  showCheckpoint,
  showCosignedCheckpoints,
  showPublishedCheckpoint,
  showKey,
  showProof,
  showConsistency,
  showDivergences,
  listCheckpoints,
  compareCheckpoints,
  showCheckpointProof,
  showWitnesses,
  showEntryProof,
];
