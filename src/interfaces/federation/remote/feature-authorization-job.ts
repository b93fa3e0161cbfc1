import type { CommandContext } from '#kernel/context.ts';
import type { NamedItem } from '#queries/federation/index.ts';

/** The name of the jobs that verify the authorization of a collection item again. */
export const FEATURE_AUTHORIZATION_JOB = 'feature-authorization';

/** Seconds before each further attempt. */
const PAUSES = [60, 600, 3_600, 21_600, 64_800];

/** Queues another check of the authorization of an item; `tries` counts further checks so far. */
export async function recheckFeatureLater(
  ctx: CommandContext,
  { id, account_id }: Pick<NamedItem, 'id' | 'account_id'>,
  tries: number,
): Promise<void> {
  const after = PAUSES[tries];
  if (after === undefined) return;
  const data = { id, account_id, tries: tries + 1 };
  await ctx.services.jobs.enqueue(FEATURE_AUTHORIZATION_JOB, data, { singletonKey: id, after });
}
