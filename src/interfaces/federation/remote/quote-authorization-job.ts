import type { CommandContext } from '../../../kernel/context.ts';
import type { Id } from '../../../kernel/ids.ts';

/** The name of the jobs that look again at the stamp of a quote. */
export const QUOTE_AUTHORIZATION_JOB = 'quote-stamp';

/** Seconds before each further try. A stamp that is not there within a day is not expected any more. */
const PAUSES = [60, 600, 3_600, 21_600, 64_800];

/** Queues another look at the stamp of a quote; `tries` is how often it was looked at again so far. */
export async function recheckQuoteLater(ctx: CommandContext, quotingId: Id, tries: number): Promise<void> {
  const after = PAUSES[tries];
  if (after === undefined) return;
  const data = { quoting_id: quotingId, tries: tries + 1 };
  await ctx.services.jobs.enqueue(QUOTE_AUTHORIZATION_JOB, data, { singletonKey: quotingId, after });
}
