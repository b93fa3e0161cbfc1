import type { RequestContext, UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import { pollSchema } from '#mastodon/schemas/index.ts';
import { POLL_COLUMNS, pollJson, type PollRow } from '../entities/poll.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { blocks } from '../visibility/pairs.ts';
import { visibleTo } from '../visibility/statuses.ts';

/** Selects a poll with its options since its last edit. */
const found = (name: string, which: string) =>
  statement<VisiblePoll>(
    name,
    `select ${POLL_COLUMNS}, s.id as status_id, a.media_rejected,
     ${blocks('$2::bigint', 's.account_id')} as author_blocked from polls p
   join statuses s on s.id = p.status_id and s.poll_id = p.id join accounts a on a.id = s.account_id
   left join poll_votes pv on pv.poll_id = p.id and pv.account_id = $2
   where ${which} and ${visibleTo('$2')}`,
  );
const FIND = found('poll_find', 'p.public_id = $1');
const FIND_ROUND = found('poll_find_round', 'p.id = $1');

export interface VisiblePoll extends PollRow {
  status_id: string;
  /** The viewer blocks the author. */
  author_blocked: boolean;
}

/** Throws RookeryError `not_found` for a poll that this user may not see. */
export async function visiblePoll(ctx: UserContext, pollId: string): Promise<VisiblePoll> {
  const poll = await find(ctx, pollId);
  if (!poll) throw notFound();
  return poll;
}

/** Returns a post's present poll as an account of any server sees it; undefined when it may not see it. */
export const pollSeenBy = async (
  db: Db,
  round: string,
  accountId: string,
): Promise<VisiblePoll | undefined> => (await db.query(FIND_ROUND, [round, accountId]))[0];

/** Returns a poll as ready JSON, as the viewer sees it. @throws RookeryError `not_found` */
export async function pollText(ctx: RequestContext, pollId: string): Promise<string> {
  const poll = await find(ctx, pollId);
  if (!poll) throw notFound();
  return fillOrigins(pollJson(poll, ctx.viewer?.account_id), ctx.instance);
}

export const showPoll = endpoint({
  method: 'GET',
  path: '/api/v1/polls/:id',
  summary: 'View a poll',
  auth: 'optional',
  scopes: ['read:statuses'],
  params: idParams,
  reply: pollSchema,
  handler: async (ctx, { params }) => ({ text: await pollText(ctx, params.id) }),
});

async function find(ctx: RequestContext, pollId: string): Promise<VisiblePoll | undefined> {
  const [poll] = await ctx.db.query(FIND, [pollId, ctx.viewer?.account_id ?? null]);
  return poll;
}
