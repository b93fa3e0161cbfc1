import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { ARCHIVE_JOB } from '#commands/archives/index.ts';
import { makeArchive } from '#interfaces/account-archive/make.ts';

/** Builds the archives that users request, one at a time. */
export const makeArchives: JobDefinition = {
  name: ARCHIVE_JOB,
  work: async (ctx, { archive_id: id }, run) => {
    if (typeof id === 'string') await makeArchive(ctx, id, run);
  },
};
