import { PersonalDataErased } from '#events/erasure.ts';
import { isNamed, TagFeatured, TagUnfeatured } from '#events/tags.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'featured_tags_insert',
  `insert into featured_tags (account_id, tag, id, name)
   select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])`,
);
const DELETE = statement(
  'featured_tags_delete',
  `delete from featured_tags f using unnest($1::bigint[], $2::text[]) as n (account_id, tag)
   where f.account_id = n.account_id and f.tag = n.tag`,
);

const keys = ({ data }: { data: { account_id: string; tag: string } }): string[] => [
  `${data.account_id} ${data.tag}`,
];

/** The hashtags on profiles, as their owners spelled them. */
export const featuredTags: Projection = {
  name: 'featured-tags',
  version: 3,
  group: MAIN,
  tables: {
    featured_tags: `
      account_id bigint not null,
      tag text collate "C" not null,
      id bigint not null,
      name text not null,
      primary key (account_id, tag)`,
  },
  indexes: [],
  handlers: [
    on(TagFeatured, {
      keys,
      apply: async (events, db) => {
        await db.query(INSERT, columns(events.filter(isNamed), 'account_id', 'tag', 'id', 'name'));
      },
    }),
    on(TagUnfeatured, {
      keys,
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'account_id', 'tag'));
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('featured_tags')),
  ],
};
