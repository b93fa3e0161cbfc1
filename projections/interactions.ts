import { PersonalDataErased } from '#events/erasure.ts';
import {
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
  StatusBookmarked,
  StatusFavourited,
  StatusReblogged,
  StatusUnbookmarked,
  StatusUnfavourited,
  StatusUnreblogged,
  ThreadMuted,
  ThreadUnmuted,
} from '#events/interactions.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf } from '#kernel/table/index.ts';

const INTERACTIONS = table(
  'interactions',
  {
    account_id: bigint,
    status_id: bigint,
    favourite_id: bigint.orNull,
    bookmark_id: bigint.orNull,
    reblog_id: bigint.orNull,
    favourite_request_id: bigint.orNull,
    reblog_request_id: bigint.orNull,
  },
  ['account_id', 'status_id'],
);
const MUTES = table('thread_mutes', { account_id: bigint, conversation_id: bigint }, [
  'account_id',
  'conversation_id',
]);

/** Events of different pairs of account and post are independent. */
const keys = ({ data }: { data: { account_id: string; status_id: string } }): string[] => [
  `${data.account_id} ${data.status_id}`,
];
const threadKeys = ({ data }: { data: { account_id: string; conversation_id: string } }): string[] => [
  `${data.account_id} ${data.conversation_id}`,
];

/** The interactions of each account with each post, in one row, and the threads that it muted. */
export const interactions: Projection = {
  name: 'interactions',
  version: 4,
  group: MAIN,
  tables: tablesOf(INTERACTIONS, MUTES),
  indexes: [
    'create index thread_mutes_of_thread on thread_mutes (conversation_id, account_id desc)',
    'create index interactions_favourites on interactions (account_id, favourite_id desc) where favourite_id is not null',
    'create index interactions_bookmarks on interactions (account_id, bookmark_id desc) where bookmark_id is not null',
    'create index interactions_favourited on interactions (status_id, favourite_id desc) where favourite_id is not null',
    'create index interactions_reblogged on interactions (status_id, reblog_id desc) where reblog_id is not null',
  ],
  handlers: [
    on(StatusFavourited, {
      keys,
      // An accepted request becomes an interaction.
      apply: INTERACTIONS.put('favourite_id', 'favourite_request_id').each(({ data }) => ({
        ...data,
        favourite_id: data.id,
        favourite_request_id: null,
      })),
    }),
    on(StatusUnfavourited, {
      keys,
      apply: INTERACTIONS.set('favourite_id').each(({ data }) => ({ ...data, favourite_id: null })),
    }),
    on(StatusBookmarked, {
      keys,
      apply: INTERACTIONS.put('bookmark_id').each(({ data }) => ({ ...data, bookmark_id: data.id })),
    }),
    on(StatusUnbookmarked, {
      keys,
      apply: INTERACTIONS.set('bookmark_id').each(({ data }) => ({ ...data, bookmark_id: null })),
    }),
    on(StatusReblogged, {
      keys,
      // An accepted request becomes an interaction.
      apply: INTERACTIONS.put('reblog_id', 'reblog_request_id').each(({ data }) => ({
        ...data,
        reblog_id: data.id,
        reblog_request_id: null,
      })),
    }),
    on(StatusUnreblogged, {
      keys,
      apply: INTERACTIONS.set('reblog_id').each(({ data }) => ({ ...data, reblog_id: null })),
    }),
    on(FavouriteRequested, {
      keys,
      apply: INTERACTIONS.put('favourite_request_id').each(({ data }) => ({
        ...data,
        favourite_request_id: data.id,
      })),
    }),
    on(FavouriteRequestEnded, {
      keys,
      apply: INTERACTIONS.set('favourite_request_id').each(({ data }) => ({
        ...data,
        favourite_request_id: null,
      })),
    }),
    on(ReblogRequested, {
      keys,
      apply: INTERACTIONS.put('reblog_request_id').each(({ data }) => ({
        ...data,
        reblog_request_id: data.id,
      })),
    }),
    on(ReblogRequestEnded, {
      keys,
      apply: INTERACTIONS.set('reblog_request_id').each(({ data }) => ({ ...data, reblog_request_id: null })),
    }),
    on(ThreadMuted, { keys: threadKeys, apply: MUTES.insert().each(({ data }) => data) }),
    on(ThreadUnmuted, { keys: threadKeys, apply: MUTES.remove().each(({ data }) => data) }),
    onAccounts(PersonalDataErased, deleteRowsOf(INTERACTIONS), deleteRowsOf(MUTES)),
  ],
};
