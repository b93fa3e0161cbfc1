import { contentJson } from '#events/status-body.ts';
import { MentionsResolved } from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type BoundHandler, dataOf, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { batch, bigint, text } from '#kernel/table/index.ts';
import { members } from '#mastodon/ready-json.ts';
import { contentWritten } from './quote-lines.ts';
import { MENTIONS } from './tables.ts';

type Resolved = RecordedOf<typeof MentionsResolved>['data'];

const INSERT = MENTIONS.add();
const SELECT = statement<{ id: string; body: string }>(
  'statuses_mentioning',
  'select id, body from statuses where id = any($1::bigint[])',
);
const UPDATE = batch(
  'statuses_resolve_mentions',
  { id: bigint, body: text, content: text.orNull },
  (
    rows,
  ) => `update statuses s set (body, content) = (n.body, coalesce(${contentWritten('n.content')}, s.content))
   from ${rows} where s.id = n.id`,
);

/** Stores the mentions of posts. */
export async function insertMentions(
  posts: readonly { id: string; mentions: readonly { id: string }[] }[],
  db: Db,
): Promise<void> {
  await INSERT(
    posts.flatMap(({ id: status_id, mentions }) =>
      mentions.map(({ id: account_id }) => ({ account_id, status_id })),
    ),
    db,
  );
}

/**
 * The end of the mentions in the body (`src/events/status-body.ts`). No text of a user contains it, because
 * quotes are escaped there.
 */
const END = '],"edited_at":';

const bodyWith = (body: string, mentions: Resolved['mentions']): string => {
  const end = body.indexOf(END);
  const added = members({ mentions }).slice('"mentions":['.length, -1);
  const before = body.slice(0, end);
  return `${before}${before.endsWith('[') ? '' : ','}${added}${body.slice(end)}`;
};

/** Adds accounts to the mentions of posts. */
async function resolveMentions(resolved: readonly Resolved[], db: Db): Promise<void> {
  const byPost = Map.groupBy(resolved, ({ id }) => id);
  const rows = await db.query(SELECT, [[...byPost.keys()]]);
  const changed = rows.flatMap(({ id, body }) => {
    const events = byPost.get(id) ?? [];
    const mentions = events.flatMap((one) => one.mentions);
    const content = events.findLast((one) => one.content !== undefined)?.content;
    const json = content === undefined ? null : contentJson({ content });
    return mentions.length === 0 ? [] : [{ id, body: bodyWith(body, mentions), content: json }];
  });
  if (changed.length === 0) return;
  await UPDATE(changed, db);
  await insertMentions(resolved, db);
}

export const mentionHandlers: readonly BoundHandler[] = [
  on(MentionsResolved, {
    keys: ({ data }) => [data.id],
    apply: (events, db) => resolveMentions(dataOf(events), db),
  }),
];
