import { type StatusCreated, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { JsonObject, RecordedOf } from '#kernel/event.ts';
import { isId } from '#kernel/ids.ts';
import { type Quoting, requestFor, waitingQuote } from './quotes.ts';
import { send } from './send.ts';

/** The name of the jobs that repeat a quote request. */
export const QUOTE_REQUEST_JOB = 'quote-request';

/**
 * Seconds before each further request. A server that has not answered within two days gets no further
 * request.
 */
const PAUSES = [20, 300, 3_600, 21_600, 86_400];

/** Queues a further request for the quote of a new post, in case the first one is lost. */
export async function askForQuoteLater(
  ctx: CommandContext,
  data: RecordedOf<typeof StatusCreated>['data'],
): Promise<void> {
  const quoting = waitingQuote(data);
  if (quoting) await askLater(ctx, quoting, 1);
}

/** Runs a `QUOTE_REQUEST_JOB`; does nothing when the quote has been decided. */
export async function askForQuoteAgain(ctx: CommandContext, data: JsonObject): Promise<void> {
  const ids = [data['id'], data['account_id'], data['quote_id'], data['quoted_account_id']];
  const [id = '', account_id = '', quote_id = '', quoted_account_id = ''] = ids.map(String);
  const { tries } = data;
  if (![id, account_id, quote_id, quoted_account_id].every(isId) || typeof tries !== 'number') return;
  const quoting: Quoting = { id, account_id, quote: { id: quote_id, account_id: quoted_account_id } };
  const outgoing = requestFor(quoting, tries);
  if (!(await outgoing.compose(ctx))) return;
  const subject = statusStream(quoting.id);
  await send(ctx, outgoing, { key: `quote-request/${quoting.id}/${tries}`, subject });
  await askLater(ctx, quoting, tries + 1);
}

async function askLater(
  { services }: CommandContext,
  { id, account_id, quote }: Quoting,
  tries: number,
): Promise<void> {
  const after = PAUSES[tries - 1];
  if (after === undefined) return;
  const data = { id, account_id, quote_id: quote.id, quoted_account_id: quote.account_id, tries };
  await services.jobs.enqueue(QUOTE_REQUEST_JOB, data, { singletonKey: id, after });
}
