import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { continueImport, IMPORT_JOB } from '#commands/imports/index.ts';

/** Runs the imports of users, a batch at a time. */
export const carryOutImport: JobDefinition = {
  name: IMPORT_JOB,
  outside: 16,
  work: async (ctx, { import_id: id }, run) => {
    if (typeof id === 'string') await continueImport(ctx, id, run);
  },
};
