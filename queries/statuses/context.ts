import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { json, jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { contextSchema } from '#mastodon/schemas/index.ts';
import { discoverableBy } from '../visibility/accounts.ts';
import { publicToServers } from '../visibility/federation.ts';
import { notMutedBy, visibleTo } from '../visibility/statuses.ts';
import { askForReplies } from './far-replies.ts';
import { findPresent } from './find.ts';
import { meantFor } from './page.ts';

/** https://docs.joinmastodon.org/methods/statuses/#context */
const LIMITS = {
  anonymous: { ancestors: 40, descendants: 60, depth: 20 },
  user: { ancestors: 4_096, descendants: 4_096, depth: 4_096 },
};

const ANCESTORS = statement<{ id: string }>(
  'status_ancestors',
  `with recursive thread (id, parent, step) as (
     select s.id, s.in_reply_to_id, 0 from statuses s where s.id = $1
     union all
     select s.id, s.in_reply_to_id, t.step + 1 from thread t join statuses s on s.id = t.parent
     where t.step < $3
   )
   select s.id from thread t join statuses s on s.id = t.id join accounts a on a.id = s.account_id
   where t.step > 0 and ${discoverableBy('$2')} and ${visibleTo('$2')} and ${notMutedBy('$2')} order by t.step desc`,
);
/**
 * The author's replies to themselves come first, then the others, each below the post that it replies to, in
 * the order of Mastodon. A bounded number of rows is read, breadth first.
 */
const DESCENDANTS = statement<{ id: string }>(
  'status_descendants',
  `with recursive thread (id, depth, path) as (
     select s.id, 0, array[s.id] from statuses s where s.id = $1
     union all
     select s.id, t.depth + 1, t.path || s.id from thread t join statuses s on s.in_reply_to_id = t.id
     where t.depth < $4
   ), nearest as (select * from thread where depth > 0 limit $3)
   select s.id from nearest t join statuses s on s.id = t.id join accounts a on a.id = s.account_id
   where ${discoverableBy('$2')} and ${visibleTo('$2')} and ${notMutedBy('$2')}
   order by s.in_reply_to_account_id is distinct from s.account_id, t.path`,
);
/** A remote post may have replies that did not arrive here; a post that is seconds old has none yet. */
const VISIBLE = statement<{ id: string; far: boolean }>(
  'status_visible',
  `select s.id, not s.local and ${publicToServers()} and s.created_at < now() - interval '5 minutes' as far
   from statuses s join accounts a on a.id = s.account_id where s.id = ${meantFor('$2')}`,
);

/** Returns the ancestors and the replies of the status. */
export const showContext = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/context',
  summary: 'Get the conversation around a status',
  auth: 'optional',
  scopes: ['read:statuses'],
  params: idParams,
  reply: contextSchema,
  handler: async (ctx, { params: { id } }) => {
    const { text, far } = await contextText(ctx, id);
    return { text, headers: far === undefined ? {} : await askForReplies(ctx, far) };
  },
});

/** `far` is the post whose own server may know more replies. */
async function contextText(
  ctx: RequestContext,
  id: string,
): Promise<{ text: JsonPieces; far: string | undefined }> {
  const viewer = ctx.viewer?.account_id ?? null;
  const limit = viewer === null ? LIMITS.anonymous : LIMITS.user;
  const [[visible], ancestors, descendants] = await Promise.all([
    ctx.db.query(VISIBLE, [id, viewer]),
    ctx.db.query(ANCESTORS, [id, viewer, limit.ancestors]),
    ctx.db.query(DESCENDANTS, [id, viewer, limit.descendants, limit.depth]),
  ]);
  if (!visible) throw notFound();
  const list = async (rows: readonly { id: string }[]): Promise<JsonPieces> => {
    const statuses = await findPresent(
      ctx,
      rows.map((row) => row.id),
    );
    return jsonArray(statuses);
  };
  const [before, after] = await Promise.all([list(ancestors), list(descendants)]);
  const text = json`{"ancestors":${before},"descendants":${after}}`;
  return { text, far: visible.far ? visible.id : undefined };
}
