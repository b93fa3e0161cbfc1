import {
  StatusFavourited,
  StatusReblogged,
  StatusUnfavourited,
  StatusUnreblogged,
} from '#events/interactions.ts';
import { reblogBody } from '#events/status-body.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { batch, bigint, boolean, text, timestamptz } from '#kernel/table/index.ts';
import { countStatuses } from './counts.ts';
import { forgetRequested } from './posts.ts';
import { STATUSES } from './tables.ts';

/** A reblog shows the quote of its original, so its row has it too. */
const REBLOG = batch(
  'statuses_reblog',
  {
    id: bigint,
    account_id: bigint,
    local: boolean,
    visibility: text,
    created_at: timestamptz,
    reblog_of_id: bigint,
    uri: text,
    body: text,
  },
  (
    rows,
  ) => `insert into statuses (id, account_id, local, visibility, created_at, conversation_id, reblog_of_id, quote_id, uri,
     spoiler_text, sensitive, content, body, plain, quote_policy)
   select n.id, n.account_id, n.local, n.visibility, n.created_at, n.reblog_of_id, n.reblog_of_id,
     (select o.quote_id from statuses o where o.id = n.reblog_of_id), n.uri, '', false, '""', n.body, '', 'nobody'
   from ${rows}`,
);
const UNREBLOG = STATUSES.set('deleted');

type Reblog = Pick<
  RecordedOf<typeof StatusReblogged>['data'],
  'id' | 'account_id' | 'local' | 'visibility' | 'created_at' | 'status_id' | 'uri' | 'status_account_id'
>;

/** Inserts reblogs. `visibility` decides who finds them, if it differs from the one in their JSON. */
export async function insertReblogs(
  reblogs: readonly Reblog[],
  db: Db,
  visibility?: 'direct',
): Promise<void> {
  await REBLOG.from(
    reblogs.map((reblog) => ({
      ...reblog,
      visibility: visibility ?? reblog.visibility,
      reblog_of_id: reblog.status_id,
      body: reblogBody(reblog),
    })),
    db,
  );
}

/** Counters only add up, so their order does not matter. */
const inAnyOrder = { keys: () => [], additive: true };

/** Reblogs, which are rows of their own, and counters of other users' interactions. */
export const reblogHandlers: readonly BoundHandler[] = [
  on(StatusReblogged, {
    // After the post itself, whose quote it copies.
    keys: ({ data }) => [data.id],
    reads: ({ data }) => [data.status_id],
    additive: true,
    apply: async (events, db) => {
      const reblogs = events.map(({ data }) => data);
      await forgetRequested(
        reblogs.filter(({ authorization }) => authorization !== undefined).map(({ id }) => id),
        db,
      );
      const counted = reblogs.map(({ status_id }) => ({ id: status_id, reblogs: 1 }));
      await Promise.all([insertReblogs(reblogs, db), countStatuses(counted, db)]);
    },
  }),
  on(StatusUnreblogged, {
    keys: ({ data }) => [data.id],
    additive: true,
    apply: async (events, db) => {
      const gone = events.map(({ data }) => data);
      await UNREBLOG(
        gone.map(({ id }) => ({ id, deleted: true })),
        db,
      );
      await countStatuses(
        gone.map(({ status_id }) => ({ id: status_id, reblogs: -1 })),
        db,
      );
    },
  }),
  on(StatusFavourited, {
    ...inAnyOrder,
    apply: (events, db) =>
      countStatuses(
        events.map(({ data }) => ({ id: data.status_id, favourites: 1 })),
        db,
      ),
  }),
  on(StatusUnfavourited, {
    ...inAnyOrder,
    apply: (events, db) =>
      countStatuses(
        events.map(({ data }) => ({ id: data.status_id, favourites: -1 })),
        db,
      ),
  }),
];
