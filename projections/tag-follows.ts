import { PersonalDataErased } from '#events/erasure.ts';
import { isNamed, TagFollowed, TagUnfollowed } from '#events/tags.ts';
import { deleteRowsOf, MAIN, newestOfAccount, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf, textC } from '#kernel/table/index.ts';

const FOLLOWS = table('tag_follows', { account_id: bigint, tag: textC, id: bigint }, ['account_id', 'tag']);

const keys = ({ data }: { data: { account_id: string; tag: string } }): string[] => [
  `${data.account_id} ${data.tag}`,
];

/** The hashtags that accounts follow, by their normal names. */
export const tagFollows: Projection = {
  name: 'tag-follows',
  version: 4,
  group: MAIN,
  tables: tablesOf(FOLLOWS),
  indexes: [
    ...newestOfAccount('tag_follows'),
    'create index tag_follows_of_tag on tag_follows (tag, account_id)',
  ],
  handlers: [
    on(TagFollowed, { keys, apply: FOLLOWS.insert().each((event) => (isNamed(event) ? [event.data] : [])) }),
    on(TagUnfollowed, { keys, apply: FOLLOWS.remove().each(({ data }) => data) }),
    onAccounts(PersonalDataErased, deleteRowsOf(FOLLOWS)),
  ],
};
