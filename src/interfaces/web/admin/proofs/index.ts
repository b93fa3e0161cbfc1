import type { WebPage } from '#interfaces/web/page/page.ts';
import { checkpointPage } from './checkpoint.ts';
import { checkpointsPage } from './checkpoints.ts';
import { comparePage } from './compare.ts';
import { entryProofPage } from './entry.ts';
import { witnessesPage } from './witnesses.ts';

/** Pages that prove the log, and so what the console shows. */
export const proofPages: readonly WebPage[] = [
  checkpointsPage,
  comparePage,
  witnessesPage,
  checkpointPage,
  entryProofPage,
];
