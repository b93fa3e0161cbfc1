import { z } from 'zod';
import type { RequestContext, UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { idList, idParams } from '#kernel/input.ts';
import { jsonArray, type JsonPieces, parseJson } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { type Status, statusSchema } from '#mastodon/schemas/index.ts';
import type { STATUSES } from '#projections/statuses/tables.ts';
import { findPresent, findStatuses } from './find.ts';

/**
 * Returns a status as JSON, as this viewer sees it. @throws RookeryError `not_found`, also when it is hidden
 */
export const statusText = (ctx: RequestContext, statusId: string): Promise<JsonPieces> =>
  textOf(ctx, statusId, { touched: false });

/** Renders a status for a viewer who undoes an interaction, even when its author now hides it. */
export const touchedText = (ctx: UserContext, statusId: string): Promise<JsonPieces> =>
  textOf(ctx, statusId, { touched: true });

async function textOf(
  ctx: RequestContext,
  statusId: string,
  options: { touched: boolean },
): Promise<JsonPieces> {
  const [status] = await findStatuses(ctx, [statusId], options);
  if (!status) throw notFound();
  return status;
}

/** A post or reblog of the user. */
export interface OwnStatus extends Pick<
  RowOf<typeof STATUSES>,
  'id' | 'reblog_of_id' | 'quote_id' | 'text' | 'spoiler_text'
> {
  /** The author of the reblogged post. */
  reblog_account_id: string | null;
}

const OWN = statement<OwnStatus>(
  'status_own',
  `select s.id, s.reblog_of_id, o.account_id as reblog_account_id, s.quote_id, s.text, s.spoiler_text
   from statuses s left join statuses o on o.id = s.reblog_of_id
   where s.id = $1 and s.account_id = $2 and not s.deleted`,
);

/** Throws RookeryError `not_found` for an unknown status and for another user's. */
export async function ownStatus(ctx: UserContext, statusId: string): Promise<OwnStatus> {
  const [row] = await ctx.db.query(OWN, [statusId, ctx.viewer.account_id]);
  if (!row) throw notFound();
  return row;
}

/**
 * Renders the user's own status with its source text instead of its content, for redrafting. The quoted post
 * appears in any state of the quote: https://docs.joinmastodon.org/entities/Quote/#quoted_status
 */
export async function sourceText(ctx: UserContext, { id, text, quote_id }: OwnStatus): Promise<string> {
  const status = parseJson(await statusText(ctx, id)) as Status;
  const { content: _, ...rest } = status;
  const quote = status.quote && quote_id !== null ? await wholeQuote(ctx, status.quote, quote_id) : null;
  return JSON.stringify({ ...rest, quote, text: text ?? '' });
}

async function wholeQuote(
  ctx: UserContext,
  quote: NonNullable<Status['quote']>,
  quotedId: string,
): Promise<Status['quote']> {
  if ('quoted_status' in quote && quote.quoted_status) return quote;
  const [quoted] = await findStatuses(ctx, [quotedId]);
  return { state: quote.state, quoted_status: quoted ? (parseJson(quoted) as Status) : null };
}

export const showStatus = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id',
  summary: 'View a status',
  auth: 'optional',
  scopes: ['read:statuses'],
  params: idParams,
  reply: statusSchema,
  handler: async (ctx, { params }) => {
    return { text: await statusText(ctx, params.id) };
  },
});

const MAX_STATUSES = 20;

/** Returns the visible statuses among the ids, newest first. */
export const showStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/statuses',
  summary: 'View several statuses',
  auth: 'optional',
  scopes: ['read:statuses'],
  query: z.object({
    id: idList(1_000, { alone: false }).describe(
      `IDs of statuses, at most ${MAX_STATUSES}; those that the user cannot see are left out.`,
    ),
  }),
  reply: z.array(statusSchema),
  errors: [422],
  handler: async (ctx, { query }) => {
    // Mastodon's text.
    if (query.id.length > MAX_STATUSES) throw invalid('Mastodon::ValidationError');
    return { text: jsonArray(await findPresent(ctx, newestIdsFirst(query.id))) };
  },
});

const newestIdsFirst = (ids: readonly string[]): string[] =>
  [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));
