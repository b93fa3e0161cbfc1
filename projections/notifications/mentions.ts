import type { StatusCreated, StatusEdited } from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Arrival } from './arrivals.ts';

export type Created = RecordedOf<typeof StatusCreated>;
export type Edited = RecordedOf<typeof StatusEdited>;

const MENTIONS = statement<{ status_id: string; account_id: string }>(
  'notification_mentions_insert',
  `insert into notification_mentions (status_id, account_id, author_id, conversation_id, position)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
   on conflict do nothing returning status_id, account_id`,
);

/** The ids of a post, its author and the mentioned accounts. */
export const keysOfPost = ({ id, account_id, mentions }: (Created | Edited)['data']): string[] => [
  id,
  account_id,
  ...mentions.map((mention) => mention.id),
];

/** A notification about an edit has the id of the edit. */
export const mentionArrivals = ({ data, metadata, position }: Created | Edited): Arrival[] =>
  data.mentions.map((mention) => ({
    account_id: mention.id,
    id: 'edit_id' in data ? data.edit_id : data.id,
    type: 'mention',
    from_account_id: data.account_id,
    status_id: data.id,
    created_at: metadata.time,
    private_thread: data.visibility === 'direct' ? data.conversation_id : null,
    position,
  }));

/** Returns the mentions that are new. */
export async function rememberMentions(
  events: readonly (Created | Edited)[],
  db: Db,
): Promise<{ status_id: string; account_id: string }[]> {
  const rows = events.flatMap(({ data, position }) =>
    data.mentions.map(({ id: who }) => ({ data, position, who })),
  );
  if (rows.length === 0) return [];
  return db.query(MENTIONS, [
    rows.map(({ data }) => data.id),
    rows.map(({ who }) => who),
    rows.map(({ data }) => data.account_id),
    rows.map(({ data }) => (data.visibility === 'direct' ? data.conversation_id : null)),
    rows.map(({ position }) => position.toString()),
  ]);
}
