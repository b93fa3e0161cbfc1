import { PersonalDataErased } from '#events/erasure.ts';
import { isNamed, TagFollowed, TagUnfollowed } from '#events/tags.ts';
import {
  columns,
  deleteRowsOf,
  MAIN,
  newestOfAccount,
  on,
  onAccounts,
  type Projection,
} from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'tag_follows_insert',
  'insert into tag_follows (account_id, tag, id) select * from unnest($1::bigint[], $2::text[], $3::bigint[])',
);
const DELETE = statement(
  'tag_follows_delete',
  `delete from tag_follows f using unnest($1::bigint[], $2::text[]) as n (account_id, tag)
   where f.account_id = n.account_id and f.tag = n.tag`,
);

const keys = ({ data }: { data: { account_id: string; tag: string } }): string[] => [
  `${data.account_id} ${data.tag}`,
];

/** The hashtags that accounts follow, by their normal names. */
export const tagFollows: Projection = {
  name: 'tag-follows',
  version: 4,
  group: MAIN,
  tables: {
    tag_follows: `
      account_id bigint not null,
      tag text collate "C" not null,
      id bigint not null,
      primary key (account_id, tag)`,
  },
  indexes: [
    ...newestOfAccount('tag_follows'),
    'create index tag_follows_of_tag on tag_follows (tag, account_id)',
  ],
  handlers: [
    on(TagFollowed, {
      keys,
      apply: async (events, db) => {
        await db.query(INSERT, columns(events.filter(isNamed), 'account_id', 'tag', 'id'));
      },
    }),
    on(TagUnfollowed, {
      keys,
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'account_id', 'tag'));
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('tag_follows')),
  ],
};
