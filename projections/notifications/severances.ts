import { RelationshipsSevered } from '../../src/events/severed-relationships.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { notice } from './notices.ts';

/** Notifies accounts whose follows ended with a server. */
export const severanceHandlers: readonly BoundHandler[] = [
  on(RelationshipsSevered, {
    keys: ({ data }) => [data.account_id, data.id],
    additive: true,
    apply: (events, db) => notice('severed_relationships', events, db),
  }),
];
