import { RemoteStatusRemoved } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { FORGET_AUTHORIZATIONS } from './quotes.ts';
import { EDITS, MENTIONS, STATS, STATUSES, TAGS } from './tables.ts';

/** The post itself comes last. */
const REMOVE = [
  EDITS.remove('status_id'),
  TAGS.remove('status_id'),
  MENTIONS.remove('status_id'),
  STATS.remove(),
  FORGET_AUTHORIZATIONS,
];
const REMOVE_POST = STATUSES.remove();

/** Removes the rows of deleted remote posts, which the operator cleared away. */
export const removedHandlers: BoundHandler[] = [
  on(RemoteStatusRemoved, {
    keys: ({ data }) => [data.id],
    apply: async (events, db) => {
      const rows = events.map(({ data: { id } }) => ({ id, status_id: id }));
      await Promise.all([...REMOVE.map((each) => each.from(rows, db)), REMOVE_POST.from(rows, db)]);
    },
  }),
];
