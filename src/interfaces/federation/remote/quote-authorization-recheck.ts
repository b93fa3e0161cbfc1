import type { JsonObject } from '#kernel/event.ts';
import { pendingQuoteAuthorization } from '#queries/federation/index.ts';
import { checkQuoteAuthorization, type VerificationContext } from './quote-authorizations.ts';
import { ignoreRemoteError } from './remote-error.ts';

/** Runs a `QUOTE_AUTHORIZATION_JOB`; does nothing when the quote has been decided. */
export async function recheckQuoteAuthorization(
  looking: Omit<VerificationContext, 'tries'>,
  { quoting_id: quotingId, tries }: JsonObject,
): Promise<void> {
  const { ctx } = looking;
  if (typeof quotingId !== 'string' || typeof tries !== 'number') return;
  const pending = await pendingQuoteAuthorization(ctx.db, quotingId);
  if (!pending) return;
  const { quoting, quoted, authorization } = pending;
  await checkQuoteAuthorization({ ...looking, tries }, quoting, quoted, authorization).catch(
    ignoreRemoteError,
  );
}
