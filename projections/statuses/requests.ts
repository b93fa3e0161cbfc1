import { ReblogRequested, ReblogRequestEnded } from '#events/interactions.ts';
import { ReplyRequested, ReplyRequestEnded } from '#events/statuses.ts';
import { type BoundHandler, dataOf, on } from '#kernel/projection.ts';
import { insertRequested } from './posts.ts';
import { insertReblogs } from './reblogs.ts';
import { STATUSES } from './tables.ts';

const END = STATUSES.set('deleted');

const byStatus = ({ data }: { data: { id: string } }): string[] => [data.id];

/** Replies and reblogs that wait for the approval of another author: rows that only their own authors see. */
export const requestHandlers: readonly BoundHandler[] = [
  on(ReplyRequested, {
    keys: byStatus,
    reads: ({ data }) => [data.in_reply_to_id].filter((id) => id !== null),
    apply: (events, db) => insertRequested(dataOf(events), db),
  }),
  on(ReplyRequestEnded, { keys: byStatus, apply: END.each(({ data: { id } }) => ({ id, deleted: true })) }),
  on(ReblogRequested, {
    keys: ({ data }) => [data.id, data.status_id],
    apply: (events, db) => insertReblogs(dataOf(events), db, 'direct'),
  }),
  on(ReblogRequestEnded, { keys: byStatus, apply: END.each(({ data: { id } }) => ({ id, deleted: true })) }),
];
