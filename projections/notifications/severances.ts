import { RelationshipsSevered } from '#events/severed-relationships.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { notice } from './notices.ts';

/** Notifies accounts whose follows ended with a server. */
export const severanceHandlers: readonly BoundHandler[] = [
  on(RelationshipsSevered, {
    keys: ({ data }) => [data.account_id, data.id],
    additive: true,
    apply: (events, db) => notice('severed_relationships', events, db),
  }),
];
