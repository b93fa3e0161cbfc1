import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { parameterMissing, RookeryError, unauthorized } from '#kernel/errors.ts';
import { formBoolean, isScalar, leadingInteger, wordText } from '#kernel/input.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import type { OffsetPage } from '#kernel/offset-paging.ts';
import { MAIN, SEARCH } from '#kernel/projection.ts';
import { searchSchema } from '#mastodon/schemas/index.ts';
import { searchAccounts } from '../accounts/index.ts';
import { readyArray } from '../entities/ready-json.ts';
import { searchTags } from '../tags/index.ts';
import type { Found } from './found.ts';
import { resolvedParts } from './resolved.ts';
import { searchStatuses } from './statuses.ts';

/** UTF-16 units. */
const MAX_QUERY_LENGTH = 500;
/** A longer query does not fit into a request line. */
const MAX_QUERY_SENT = 16_384;
/** Without a token, a shorter query finds only exact names. */
const SHORTEST_BEGINNING = 5;

const id = z.string().max(40).optional();
const USUAL = 20;
const MOST = 40;
const MAX_OFFSET = 10_000;
/** An integer as Rails reads it; absent when omitted. */
const signed = z
  .preprocess(
    (value: number | string) =>
      isScalar(value) && String(value).trim() !== '' ? leadingInteger(value) : undefined,
    z.int().optional(),
  )
  .optional();
const parameters = z.object({
  q: z
    .string()
    .max(MAX_QUERY_SENT)
    .transform((q) => q.slice(0, MAX_QUERY_LENGTH))
    .describe(`What to look for; its first ${MAX_QUERY_LENGTH} characters count.`),
  /** Unknown types find nothing, as in Mastodon: newer apps send more types. */
  type: wordText(['accounts', 'collections', 'hashtags', 'statuses', ''], 40)
    .transform((type) => (type === '' ? undefined : type))
    .optional()
    .describe(
      'The one list to fill: `accounts`, `collections`, `hashtags` or `statuses`; all of them by default, none for other types.',
    ),
  resolve: formBoolean
    .optional()
    .describe(
      'Whether other servers are asked for an unknown handle or address, which needs the token of a user; false by default.',
    ),
  following: formBoolean
    .optional()
    .describe('Whether only accounts that the user follows are found; false by default.'),
  exclude_unreviewed: formBoolean
    .optional()
    .describe('Whether hashtags that staff did not review are left out; false by default.'),
  account_id: id.describe('The ID of an account; only its statuses are found.'),
  max_id: id.describe('An ID; only statuses below it are found, and only with `type`.'),
  min_id: id.describe('An ID; only statuses above it are found, and only with `type`.'),
  limit: signed.describe(
    `How many entries to return of each kind: ${USUAL} by default, and at most ${MOST}, to which more is cut.`,
  ),
  offset: signed.describe('How many entries to pass over, for users and with `type`; 0 by default.'),
});
type Parameters = z.output<typeof parameters>;

/** https://docs.joinmastodon.org/methods/search/#v2 */
export const search = endpoint({
  method: 'GET',
  path: '/api/v2/search',
  summary: 'Search for accounts, statuses, hashtags and collections',
  auth: 'optional',
  scopes: ['read:search'],
  query: parameters,
  reads: [MAIN, SEARCH],
  reply: searchSchema,
  errors: [404],
  handler: async (ctx, { query }) => {
    const q = query.q.trim();
    if (q === '') throw parameterMissing('q');
    if (!ctx.viewer) refuseStrangers(query);
    const { offset: asked = 0, limit = USUAL, max_id, min_id, ...rest } = query;
    if (asked < 0 || limit < 0) throw new RookeryError('bad_request', NEGATIVE);
    const offset = Math.min(asked, MAX_OFFSET);
    const page = query.type === undefined ? { offset: 0 } : { offset, max_id, min_id };
    const found = limit === 0 ? {} : await find(ctx, { ...rest, ...page, limit: Math.min(limit, MOST), q });
    const { accounts = NONE, statuses = NONE, hashtags = NONE, collections = NONE } = found;
    const lists = json`{"accounts":${accounts},"statuses":${statuses},"hashtags":${hashtags}`;
    return { text: json`${lists},"collections":${collections}}` };
  },
});

const NEGATIVE = 'Pagination values for `offset` and `limit` must be positive';
const NONE: JsonPieces = ['[]'];

/** Throws RookeryError `unauthorized` for parameters that need a user. */
function refuseStrangers({ resolve, offset }: Parameters): void {
  if (resolve === true) {
    throw unauthorized(
      'Search queries that resolve remote resources are not supported without authentication',
    );
  }
  if (offset !== undefined) {
    throw unauthorized('Search queries pagination is not supported without authentication');
  }
}

async function find(ctx: RequestContext, query: Parameters & OffsetPage): Promise<Found> {
  const { q, type, limit, offset } = query;
  const wants = (each: keyof Found): boolean => type === undefined || type === each;
  if (offset === 0) {
    const named = await resolvedParts(ctx, q, query.resolve === true);
    if (named) return type === undefined ? named : only(named, type);
  }
  const exact = !ctx.viewer && [...q].length < SHORTEST_BEGINNING;
  const page = { q, limit, offset, exact };
  const handle = /^acct:/i.test(q);
  const wanted = {
    accounts: wants('accounts') && !q.startsWith('#'),
    statuses: wants('statuses') && !handle,
    hashtags: wants('hashtags') && !q.includes('@'),
  };
  const [accounts, statuses, hashtags] = await Promise.all([
    wanted.accounts
      ? searchAccounts(ctx, { ...page, q: q.replace(/^acct:/i, ''), following: query.following === true })
      : [],
    wanted.statuses ? searchStatuses(ctx, query) : [],
    wanted.hashtags ? searchTags(ctx, { ...page, excludeUnreviewed: query.exclude_unreviewed === true }) : [],
  ]);
  return {
    accounts: readyArray(accounts, ctx.instance),
    statuses: jsonArray(statuses),
    hashtags: readyArray(hashtags, ctx.instance),
  };
}

/** Returns the list of one type, if it is not empty. */
const only = (found: Found, type: string): Found =>
  Object.fromEntries(Object.entries(found).filter(([list]) => list === type));
