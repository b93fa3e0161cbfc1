import { StatusReblogged, StatusUnreblogged } from '../../src/events/interactions.ts';
import {
  AccountFollowed,
  AccountUnfollowed,
  FollowRequestAuthorized,
} from '../../src/events/relationships.ts';
import { StatusCreated, StatusDeleted } from '../../src/events/statuses.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { count, countFollows } from './counts.ts';

/** Followers, follows and posts of each account. */
export const counterHandlers: readonly BoundHandler[] = [
  // Counters only add up, so their order is of no account.
  on(StatusCreated, {
    keys: () => [],
    additive: true,
    apply: (events, db) =>
      count(
        events
          .filter(({ data }) => data.visibility !== 'direct')
          .map(({ data }) => ({ id: data.account_id, statuses: 1, at: data.created_at.slice(0, 10) })),
        db,
      ),
  }),
  on(StatusDeleted, {
    keys: () => [],
    additive: true,
    apply: (events, db) =>
      count(
        events
          .filter(({ data }) => data.visibility !== 'direct')
          .map(({ data }) => ({ id: data.account_id, statuses: -1 })),
        db,
      ),
  }),
  // A reblog is a post of its own here.
  on(StatusReblogged, {
    keys: () => [],
    additive: true,
    apply: (events, db) =>
      count(
        events.map(({ data }) => ({ id: data.account_id, statuses: 1, at: data.created_at.slice(0, 10) })),
        db,
      ),
  }),
  on(StatusUnreblogged, {
    keys: () => [],
    additive: true,
    apply: (events, db) =>
      count(
        events.map(({ data }) => ({ id: data.account_id, statuses: -1 })),
        db,
      ),
  }),
  on(AccountFollowed, {
    keys: () => [],
    additive: true,
    apply: (events, db) => countFollows(events, 1, db),
  }),
  on(FollowRequestAuthorized, {
    keys: () => [],
    additive: true,
    apply: (events, db) => countFollows(events, 1, db),
  }),
  on(AccountUnfollowed, {
    keys: () => [],
    additive: true,
    apply: (events, db) => countFollows(events, -1, db),
  }),
];
