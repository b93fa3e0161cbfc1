import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';

/** The name of jobs that verify the authorization of a quote again. */
export const QUOTE_AUTHORIZATION_JOB = 'quote-authorization';

/**
 * Seconds before each further attempt. An authorization that is missing after a day is no longer expected.
 */
const PAUSES = [60, 600, 3_600, 21_600, 64_800];

/** Queues another verification of a quote's authorization; `tries` counts earlier repeats. */
export async function recheckQuoteLater(ctx: CommandContext, quotingId: Id, tries: number): Promise<void> {
  const after = PAUSES[tries];
  if (after === undefined) return;
  const data = { quoting_id: quotingId, tries: tries + 1 };
  await ctx.services.jobs.enqueue(QUOTE_AUTHORIZATION_JOB, data, { singletonKey: quotingId, after });
}
