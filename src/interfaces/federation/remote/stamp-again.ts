import { pendingStamp } from '../../../../queries/federation/index.ts';
import type { JsonObject } from '../../../kernel/event.ts';
import { checkStamp, type Looking } from './quotes.ts';
import { unlessTheirs } from './refusal.ts';

/** Does a `QUOTE_STAMP_JOB`: nothing where the quote has been decided meanwhile. */
export async function checkStampAgain(
  looking: Omit<Looking, 'tries'>,
  { quoting_id: quotingId, tries }: JsonObject,
): Promise<void> {
  const { ctx } = looking;
  if (typeof quotingId !== 'string' || typeof tries !== 'number') return;
  const pending = await pendingStamp(ctx.db, quotingId);
  if (!pending) return;
  const { quoting, quoted, authorization } = pending;
  await checkStamp({ ...looking, tries }, quoting, quoted, authorization).catch(unlessTheirs);
}
