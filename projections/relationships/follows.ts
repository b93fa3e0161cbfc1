import {
  AccountFollowed,
  AccountUnfollowed,
  FollowRequestAuthorized,
  FollowRequested,
  FollowRequestRejected,
  FollowRequestWithdrawn,
  FollowSettingsChanged,
} from '#events/relationships.ts';
import { type BoundHandler, newestOfAccount, on } from '#kernel/projection.ts';
import { bigint, boolean, table, text, texts, together } from '#kernel/table/index.ts';
import { keys, PAIR, type Pair, PAIR_KEY } from './pairs.ts';

const COLUMNS = { ...PAIR, id: bigint, reblogs: boolean, notify: boolean, languages: texts.orNull };
const FOLLOWS = table('follows', COLUMNS, PAIR_KEY);
const REQUESTS = table('follow_requests', COLUMNS, PAIR_KEY);
/** The URI of the last follow of this pair on the remote server, also if it ended: the answer names it. */
const URIS = table('follow_uris', { ...PAIR, uri: text }, PAIR_KEY);

export const FOLLOW_TABLES = [FOLLOWS, REQUESTS, URIS] as const;

/** Both tables are listed from either end, newest first. */
const indexesOf = (name: 'follows' | 'follow_requests'): string[] => [
  ...newestOfAccount(name),
  `create index ${name}_of_target on ${name} (target_account_id, id desc)`,
];

export const followIndexes = [
  ...indexesOf('follows'),
  ...indexesOf('follow_requests'),
  'create index follow_uris_uri on follow_uris using hash (uri)',
];

/** Returns no row for a local follow. */
const named = ({ account_id, target_account_id, uri }: Pair & { uri?: string | undefined }) =>
  uri === undefined ? [] : [{ account_id, target_account_id, uri }];

/** Follows and follow requests. */
export const followHandlers: BoundHandler[] = [
  on(AccountFollowed, {
    keys,
    apply: together(
      FOLLOWS.insert().each(({ data }) => data),
      URIS.put().each(({ data }) => named(data)),
    ),
  }),
  on(FollowSettingsChanged, {
    keys,
    apply: together(
      // Only one of the two tables has the pair's row.
      FOLLOWS.set('reblogs', 'notify', 'languages').each(({ data }) => data),
      REQUESTS.set('reblogs', 'notify', 'languages').each(({ data }) => data),
      URIS.put().each(({ data }) => named(data)),
    ),
  }),
  on(AccountUnfollowed, { keys, apply: FOLLOWS.remove().each(({ data }) => data) }),
  on(FollowRequested, {
    keys,
    apply: together(
      REQUESTS.insert().each(({ data }) => data),
      URIS.put().each(({ data }) => named(data)),
    ),
  }),
  on(FollowRequestAuthorized, {
    keys,
    apply: together(
      REQUESTS.remove().each(({ data }) => data),
      FOLLOWS.insert().each(({ data }) => data),
    ),
  }),
  on(FollowRequestWithdrawn, { keys, apply: REQUESTS.remove().each(({ data }) => data) }),
  on(FollowRequestRejected, { keys, apply: REQUESTS.remove().each(({ data }) => data) }),
];
