import { contentJson, emojisJson, mediaJson, searchableText, statusBody } from '#events/status-body.ts';
import type { StatusCreated, StatusEdited } from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import { insertMentions } from './mentions.ts';
import { bodyWithoutParent } from './orphans.ts';
import { contentWritten } from './quote-lines.ts';
import { followThreads } from './reply-links.ts';
import { STATUSES, TAGS } from './tables.ts';

type Created = RecordedOf<typeof StatusCreated>['data'];
type Edited = RecordedOf<typeof StatusEdited>['data'];
type Post = Created | Edited;

// One unnest per column: a single one would write the rows to memory first, and they are long.
const INSERT = statement(
  'statuses_insert',
  `insert into statuses (id, account_id, local, visibility, created_at, in_reply_to_id, in_reply_to_account_id,
     conversation_id, quote_id, quote_state, quote_policy, poll_id, uri, url, language, text, spoiler_text,
     sensitive, content, body, plain, media, poll, emojis, edited_at, in_reply_to_uri)
   select unnest($1::bigint[]), unnest($2::bigint[]), unnest($3::bool[]), unnest($4::text[]),
     unnest($5::timestamptz[]), unnest($6::bigint[]), unnest($7::bigint[]), unnest($8::bigint[]),
     unnest($9::bigint[]), unnest($10::text[]), unnest($11::text[]), unnest($12::bigint[]),
     unnest($13::text[]), unnest($14::text[]), unnest($15::text[]), unnest($16::text[]), unnest($17::text[]),
     unnest($18::bool[]), unnest($19::text[]), unnest($20::text[]), unnest($21::text[]), unnest($22::text[]),
     unnest($23::text[]), unnest($24::text[]), unnest($25::timestamptz[]), unnest($26::text[])`,
);
const UPDATE = statement(
  'statuses_update',
  `update statuses s set (quote_policy, poll_id, language, text, spoiler_text, sensitive, content, body, plain, media,
     poll, emojis, edited_at) = (n.quote_policy, n.poll_id, n.language, n.text, n.spoiler_text, n.sensitive, ${contentWritten('n.content')},
     case when exists (select from statuses parent where parent.id = s.in_reply_to_id and parent.deleted)
       then ${bodyWithoutParent('n.body')} else n.body end,
     n.plain, n.media, n.poll, n.emojis, n.edited_at)
   from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bool[], $8::text[],
     $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])
     as n (id, quote_policy, poll_id, language, text, spoiler_text, sensitive, content, body, plain, media, poll,
       emojis, edited_at)
   where s.id = n.id`,
);
/** A post has no history before its first edit, which stores the first version as well. */
const KEEP_FIRST = statement(
  'status_edits_first',
  `insert into status_edits (status_id, edit_id, created_at, content, spoiler_text, sensitive, media, poll, emojis)
   select id, id, coalesce(edited_at, created_at), content, spoiler_text, sensitive, media, poll, emojis from statuses
   where id = any($1) on conflict do nothing`,
);
const KEEP_EDIT = statement(
  'status_edits_insert',
  `insert into status_edits (status_id, edit_id, created_at, content, spoiler_text, sensitive, media, poll, emojis)
   select n.status_id, n.edit_id, n.created_at, ${contentWritten('n.content')}, n.spoiler_text, n.sensitive, n.media, n.poll, n.emojis
   from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::bool[], $7::text[],
     $8::text[], $9::text[]) as n (status_id, edit_id, created_at, content, spoiler_text, sensitive, media, poll, emojis)
   join statuses s on s.id = n.status_id`,
);
const INSERT_TAGS = TAGS.add();
const FORGET_TAGS = TAGS.remove('status_id');
const FORGET = STATUSES.remove();

/** Deletes posts that waited for approval: they are inserted again in their final form. */
export async function forgetRequested(ids: readonly string[], db: Db): Promise<void> {
  await FORGET(
    ids.map((id) => ({ id })),
    db,
  );
}

/**
 * Inserts replies that wait for approval, visible to their authors only: as direct posts without mentions and
 * hashtags. Their JSON shows their final form.
 */
export const insertRequested = (posts: readonly Created[], db: Db): Promise<void> =>
  insertPosts(
    posts.map((post) => ({ ...post, visibility: 'direct', mentions: [], tags: [] })),
    db,
    posts,
  );

/** Inserts new posts, with the columns that find them. `shown` are the posts as their JSON shows them. */
export async function insertPosts(posts: readonly Created[], db: Db, shown = posts): Promise<void> {
  await Promise.all([
    db.query(INSERT, [
      posts.map(({ id }) => id),
      posts.map(({ account_id }) => account_id),
      posts.map(({ local }) => local),
      posts.map(({ visibility }) => visibility),
      posts.map(({ created_at }) => created_at),
      posts.map(({ in_reply_to_id }) => in_reply_to_id),
      posts.map(({ in_reply_to_account_id }) => in_reply_to_account_id),
      posts.map(({ conversation_id }) => conversation_id),
      posts.map(({ quote }) => quote?.id ?? null),
      posts.map(({ quote }) => quote?.state ?? null),
      posts.map(({ quote_policy }) => quote_policy),
      posts.map(({ poll }) => poll?.id ?? null),
      posts.map(({ uri }) => uri),
      posts.map(({ url }) => url),
      ...contentColumns(shown),
      posts.map(({ edited_at }) => edited_at ?? null),
      posts.map(({ in_reply_to_uri }) => in_reply_to_uri ?? null),
    ]),
    insertTags(posts, db),
    insertMentions(posts, db),
  ]);
  await followThreads(posts, db);
}

/** Replaces posts by their edits, and keeps the earlier versions. Mentioned accounts stay mentioned. */
export async function editPosts(posts: readonly Edited[], db: Db): Promise<void> {
  const ids = posts.map(({ id }) => id);
  const [language, text, ...rest] = contentColumns(posts);
  const gone = ids.map((status_id) => ({ status_id }));
  await db.query(KEEP_FIRST, [ids]);
  const kept = [
    ids,
    posts.map(({ edit_id }) => edit_id),
    posts.map(({ edited_at }) => edited_at),
    posts.map(contentJson),
    posts.map(({ spoiler_text }) => spoiler_text),
    posts.map(({ sensitive }) => sensitive),
    posts.map(mediaJson),
    posts.map(pollJson),
    posts.map(emojisJson),
  ];
  await Promise.all([
    db.query(UPDATE, [
      ids,
      posts.map(({ quote_policy }) => quote_policy),
      posts.map(({ poll }) => poll?.id ?? null),
      language,
      text,
      ...rest,
      posts.map(({ edited_at }) => edited_at),
    ]),
    db.query(KEEP_EDIT, kept),
    FORGET_TAGS(gone, db),
    insertTags(posts, db),
    insertMentions(posts, db),
  ]);
}

/** language, text, spoiler_text, sensitive, content, body, plain, media, poll, emojis */
const contentColumns = (posts: readonly Post[]): unknown[][] => [
  posts.map(({ language }) => language),
  posts.map(({ text }) => text),
  posts.map(({ spoiler_text }) => spoiler_text),
  posts.map(({ sensitive }) => sensitive),
  posts.map(contentJson),
  posts.map(statusBody),
  posts.map(searchableText),
  posts.map(mediaJson),
  posts.map(pollJson),
  posts.map(emojisJson),
];

/** The options as the history of edits shows them. */
const pollJson = ({ poll }: Post): string | null =>
  poll && JSON.stringify({ options: poll.options.map((title) => ({ title })) });

async function insertTags(posts: readonly Post[], db: Db): Promise<void> {
  await INSERT_TAGS(
    posts.flatMap(({ id, account_id, tags }) =>
      tags.map(({ normal }) => ({ tag: normal, status_id: id, account_id })),
    ),
    db,
  );
}
