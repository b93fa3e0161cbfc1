import { StatusCreated, StatusDeleted } from '../src/events/statuses.ts';
import type { RecordedOf } from '../src/kernel/event.ts';
import { MAIN, on, type Projection } from '../src/kernel/projection.ts';
import { statement, type Db } from '../src/kernel/read.ts';
import { members, ORIGIN, urlBelow } from '../src/kernel/ready-json.ts';

type Created = RecordedOf<typeof StatusCreated>['data'];

const INSERT = statement(
  'statuses_insert',
  `insert into statuses (id, account_id, local, visibility, in_reply_to_id, in_reply_to_account_id, language, uri,
                         text, spoiler_text, body)
   select * from unnest($1::bigint[], $2::bigint[], $3::bool[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
                        $8::text[], $9::text[], $10::text[], $11::text[])`,
);
const INSERT_TAGS = statement(
  'status_tags_insert',
  `insert into status_tags (tag, status_id) select * from unnest($1::text[], $2::bigint[])
   on conflict do nothing`,
);
const INSERT_MENTIONS = statement(
  'status_mentions_insert',
  `insert into status_mentions (account_id, status_id) select * from unnest($1::bigint[], $2::bigint[])
   on conflict do nothing`,
);
const COUNT_REPLIES = statement(
  'status_stats_replies',
  `insert into status_stats as s (status_id, replies_count)
   select status_id, sum(n) from unnest($1::bigint[], $2::int[]) as d (status_id, n) group by status_id
   on conflict (status_id) do update set replies_count = s.replies_count + excluded.replies_count`,
);
const DELETE = statement('statuses_delete', 'update statuses set deleted = true where id = any($1)');

/** Posts, rendered as far as they are the same for every reader, with what they are found by. */
export const statuses: Projection = {
  name: 'statuses',
  version: 1,
  group: MAIN,
  tables: {
    statuses: `
      id bigint primary key,
      account_id bigint not null,
      local boolean not null,
      visibility text not null,
      in_reply_to_id bigint,
      in_reply_to_account_id bigint,
      language text,
      uri text not null,
      text text,
      spoiler_text text not null,
      body text not null,
      deleted boolean not null default false`,
    status_tags: `
      tag text collate "C",
      status_id bigint,
      primary key (tag, status_id)`,
    status_mentions: `
      account_id bigint,
      status_id bigint,
      primary key (status_id, account_id)`,
    status_stats: `
      status_id bigint primary key,
      replies_count integer not null default 0,
      reblogs_count integer not null default 0,
      favourites_count integer not null default 0`,
  },
  indexes: [
    'create index statuses_account on statuses (account_id, id desc) where not deleted',
    `create index statuses_public on statuses (id desc) where visibility = 'public' and not deleted`,
    'create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null',
    'create index statuses_uri on statuses using hash (uri) where not local',
  ],
  handlers: [
    on(StatusCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const created = events.map(({ data }) => data);
        await Promise.all([
          insertStatuses(created, db),
          insertTags(created, db),
          insertMentions(created, db),
          countReplies(created, 1, db),
        ]);
      },
    }),
    on(StatusDeleted, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const deleted = events.map(({ data }) => data);
        await db.query(DELETE, [deleted.map(({ id }) => id)]);
        await countReplies(deleted, -1, db);
      },
    }),
  ],
};

async function insertStatuses(created: readonly Created[], db: Db): Promise<void> {
  await db.query(INSERT, [
    created.map(({ id }) => id),
    created.map(({ account_id }) => account_id),
    created.map(({ local }) => local),
    created.map(({ visibility }) => visibility),
    created.map(({ in_reply_to_id }) => in_reply_to_id),
    created.map(({ in_reply_to_account_id }) => in_reply_to_account_id),
    created.map(({ language }) => language),
    created.map(({ uri }) => uri),
    created.map(({ text }) => text),
    created.map(({ spoiler_text }) => spoiler_text),
    created.map(statusBody),
  ]);
}

async function insertTags(created: readonly Created[], db: Db): Promise<void> {
  const rows = created.flatMap(({ id, tags }) => tags.map(({ normal }) => ({ id, normal })));
  if (rows.length === 0) return;
  await db.query(INSERT_TAGS, [rows.map(({ normal }) => normal), rows.map(({ id }) => id)]);
}

async function insertMentions(created: readonly Created[], db: Db): Promise<void> {
  const rows = created.flatMap(({ id, mentions }) => mentions.map((mention) => ({ id, who: mention.id })));
  if (rows.length === 0) return;
  await db.query(INSERT_MENTIONS, [rows.map(({ who }) => who), rows.map(({ id }) => id)]);
}

/** Only replies that anybody may see are counted. */
async function countReplies(
  replies: readonly Pick<Created, 'in_reply_to_id' | 'visibility'>[],
  by: 1 | -1,
  db: Db,
): Promise<void> {
  const parents = replies
    .filter(({ visibility }) => visibility === 'public' || visibility === 'unlisted')
    .map(({ in_reply_to_id }) => in_reply_to_id)
    .filter((id) => id !== null);
  if (parents.length === 0) return;
  await db.query(COUNT_REPLIES, [parents, parents.map(() => by)]);
}

/** https://docs.joinmastodon.org/entities/Status/ without counters, author, and what is the reader's own. */
function statusBody(data: Created): string {
  const before = members({
    id: data.id,
    created_at: data.created_at,
    in_reply_to_id: data.in_reply_to_id,
    in_reply_to_account_id: data.in_reply_to_account_id,
    sensitive: data.sensitive,
    spoiler_text: data.spoiler_text,
    visibility: data.visibility,
    language: data.language,
    uri: data.uri,
    url: data.url,
    content: data.content,
    application: data.application && { name: data.application.name, website: data.application.website },
    mentions: data.mentions,
    emojis: [],
    media_attachments: [],
    poll: null,
    card: null,
    edited_at: null,
  });
  const tags = data.tags.map(
    ({ name, normal }) =>
      `{"name":${JSON.stringify(normal)},"url":${urlBelow(ORIGIN, `/tags/${encodeURIComponent(name.toLowerCase())}`)}}`,
  );
  return `${before},"tags":[${tags.join(',')}]`;
}
