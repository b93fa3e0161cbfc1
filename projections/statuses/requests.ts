import { ReblogRequested, ReblogRequestEnded } from '#events/interactions.ts';
import { ReplyRequested, ReplyRequestEnded } from '#events/statuses.ts';
import { type BoundHandler, columns, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { insertRequested } from './posts.ts';
import { insertReblogs } from './reblogs.ts';

const END = statement('statuses_request_end', 'update statuses set deleted = true where id = any($1)');

const byStatus = ({ data }: { data: { id: string } }): string[] => [data.id];

/** Replies and reblogs that wait for the approval of another author: rows that only their own authors see. */
export const requestHandlers: readonly BoundHandler[] = [
  on(ReplyRequested, {
    keys: byStatus,
    reads: ({ data }) => [data.in_reply_to_id].filter((id) => id !== null),
    apply: (events, db) =>
      insertRequested(
        events.map(({ data }) => data),
        db,
      ),
  }),
  on(ReplyRequestEnded, {
    keys: byStatus,
    apply: async (events, db) => {
      await db.query(END, columns(events, 'id'));
    },
  }),
  on(ReblogRequested, {
    keys: ({ data }) => [data.id, data.status_id],
    apply: (events, db) =>
      insertReblogs(
        events.map(({ data }) => data),
        db,
        'direct',
      ),
  }),
  on(ReblogRequestEnded, {
    keys: byStatus,
    apply: async (events, db) => {
      await db.query(END, columns(events, 'id'));
    },
  }),
];
