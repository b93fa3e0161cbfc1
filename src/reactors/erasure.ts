import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { erase } from '#commands/erasure/index.ts';
import { AccountErased, PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import { reactor } from '#kernel/reactor.ts';

/** Accounts with very many posts and followers take long. */
const DEADLINE = 60 * 60_000;

/** Removes the remaining data of erased users and of rejected sign-ups. */
export const erasures = reactor({
  name: 'erasures',
  on: [AccountErased, UserRejected],
  begins: 'start',
  deadline: DEADLINE,
  attempts: 10,
  react: async (ctx, { data }, { signal }) => {
    await erase(ctx, data.account_id, signal);
  },
});

const CLEAN = 'clean-erased';
/** Seconds after which read models have deleted their rows, and PostgreSQL has counted them. */
const CLEAN_AFTER = 60;

/** Removes what erased rows left in the files of the database, once for all erasures of a minute. */
export const cleaning = reactor({
  name: 'cleaning-after-erasures',
  on: [PersonalDataErased],
  react: async ({ services }) => {
    await services.jobs.enqueue(CLEAN, {}, { singletonKey: 'all', after: CLEAN_AFTER });
  },
});

export const cleanErased: JobDefinition = {
  name: CLEAN,
  work: ({ services }) => services.personalData.clean(),
};
