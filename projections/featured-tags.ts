import { PersonalDataErased } from '#events/erasure.ts';
import { isNamed, TagFeatured, TagUnfeatured } from '#events/tags.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf, text, textC } from '#kernel/table/index.ts';

export const TAGS = table('featured_tags', { account_id: bigint, tag: textC, id: bigint, name: text }, [
  'account_id',
  'tag',
]);

const keys = ({ data }: { data: { account_id: string; tag: string } }): string[] => [
  `${data.account_id} ${data.tag}`,
];

/** The hashtags on profiles, as their owners spelled them. */
export const featuredTags: Projection = {
  name: 'featured-tags',
  version: 3,
  group: MAIN,
  tables: tablesOf(TAGS),
  indexes: [],
  handlers: [
    on(TagFeatured, { keys, apply: TAGS.insert().each((event) => (isNamed(event) ? [event.data] : [])) }),
    on(TagUnfeatured, { keys, apply: TAGS.remove().each(({ data }) => data) }),
    onAccounts(PersonalDataErased, deleteRowsOf(TAGS)),
  ],
};
