import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import { members } from '#mastodon/ready-json.ts';
import { type Status, statusEditSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { readyArray } from '../entities/ready-json.ts';
import { refusedMedia } from '../entities/rejected-media.ts';
import { findStatuses } from './find.ts';
import { meantFor } from './page.ts';
import { ofShownStatus } from './shown.ts';

/** The maximum number of versions of one post, the newest ones. */
const MAX_VERSIONS = 1_000;

/** An unedited post has no rows of its own: it is its only version. A reblog has the history of its post. */
const HISTORY = statement<VersionRow>(
  'status_history',
  `select s.id, s.quote_id, coalesce(e.created_at, s.created_at) as created_at,
     coalesce(e.content, s.content) as content, coalesce(e.spoiler_text, s.spoiler_text) as spoiler_text,
     coalesce(e.sensitive, s.sensitive) or a.sensitized and a.id is distinct from $2 as sensitive,
     case when e.edit_id is null then s.media else e.media end as media,
     case when e.edit_id is null then s.poll else e.poll end as poll,
     case when a.media_rejected then null when e.edit_id is null then s.emojis else e.emojis end as emojis, ${ACCOUNT_COLUMNS}
   from statuses s join accounts a on a.id = s.account_id ${ACCOUNT_STATS}
   left join status_edits e on e.status_id = s.id
   where s.id = ${meantFor('$2')}
   order by e.edit_id desc limit ${MAX_VERSIONS}`,
);

interface VersionRow extends AccountRow {
  id: string;
  quote_id: string | null;
  /** ISO 8601. */
  created_at: string;
  /** A JSON string. */
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  /** Ready JSON; null for none. */
  media: string | null;
  poll: string | null;
  emojis: string | null;
}

/** https://docs.joinmastodon.org/methods/statuses/#history */
export const showHistory = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/history',
  summary: 'View the versions of a status, the first one first',
  auth: 'optional',
  scopes: ['read:statuses'],
  ...ofShownStatus,
  reply: z.array(statusEditSchema),
  handler: async (ctx, { params: { id } }) => {
    const rows = await ctx.db.query(HISTORY, [id, ctx.viewer?.account_id ?? null]);
    const [newest] = rows;
    if (!newest) throw notFound();
    const quote = newest.quote_id === null ? '' : `,"quote":${await quoteOf(ctx, newest.id)}`;
    const versions = rows.reverse().map((row) => `{${versionMembers(row)}${quote}}`);
    return { text: readyArray(versions, ctx.instance) };
  },
});

/** https://docs.joinmastodon.org/entities/StatusEdit/ as ready JSON. */
function versionMembers(row: VersionRow): string {
  const { spoiler_text, sensitive, created_at } = row;
  const media = row.media !== null && row.media_rejected ? refusedMedia(row.media) : row.media;
  const poll = row.poll === null ? '' : `,"poll":${row.poll}`;
  return (
    `"content":${row.content},${members({ spoiler_text, sensitive, created_at })},"account":${accountJson(row)},` +
    `"media_attachments":${media ?? '[]'},"emojis":${row.emojis ?? '[]'}${poll}`
  );
}

/** An edit never changes the quote, so every version quotes what the post quotes now. */
async function quoteOf(ctx: RequestContext, statusId: string): Promise<string> {
  const [status] = await findStatuses(ctx, [statusId]);
  return status ? JSON.stringify((parseJson(status) as Status).quote) : 'null';
}
