import {
  AUTHORS,
  bookmarkable,
  favouritable,
  type Item,
  sawOnce,
  type Viewer,
  wants,
  type World,
} from './world.ts';

/** A way to find posts other than by id. */
export interface Surface {
  /** The requests of a viewer; all pages are followed. */
  paths: (world: World, viewer: Viewer) => readonly string[];
  /**
   * For posts that the viewer may see: `true` when it must be listed, `false` when it must not, undefined
   * when other specs decide.
   */
  shows: (viewer: Viewer, item: Item) => boolean | undefined;
}

const path =
  (...paths: string[]) =>
  (): string[] =>
    paths;
const idsOf = ({ ids }: World): string[] => AUTHORS.map((author) => ids[author] ?? '');
export const posts = ({ items }: World): Item[] => items.filter(({ form }) => form === 'post');

/** Leaves out unwanted posts; other specs decide about the rest. */
const unlessUnwanted = (viewer: Viewer, { author }: Item): boolean | undefined =>
  wants(viewer, author) ? undefined : false;
const mentions = (viewer: Viewer, item: Item): boolean | undefined => {
  if (!wants(viewer, item.author)) return false;
  return viewer === 'mentioned' && item.form !== 'boost' && item.form !== 'reblog' ? true : undefined;
};
/** Some of these timelines include replies. */
const inPublic = (viewer: Viewer, item: Item): boolean | undefined => {
  if (!wants(viewer, item.author) || item.visibility !== 'public') return false;
  if (item.form === 'boost' || item.form === 'reblog') return false;
  return item.form === 'reply' ? undefined : true;
};

/**
 * Every GET endpoint that returns posts, polls or media. Those that take the id of a post are tested
 * separately.
 */
export const SURFACES: Record<string, Surface> = {
  'GET /api/v1/statuses': {
    paths: ({ items }) => {
      const ids = items.map(({ id }) => `id[]=${id}`);
      return [0, 20, 40, 60].map((from) => `/api/v1/statuses?${ids.slice(from, from + 20).join('&')}`);
    },
    shows: () => true,
  },
  'GET /api/v1/statuses/:id/context': {
    // For the post that all replies answer, and for one reply to each post.
    paths: (world) =>
      [world.rootId, ...posts(world).map(({ answerId }) => answerId ?? '')].map(
        (id) => `/api/v1/statuses/${id}/context`,
      ),
    shows: (viewer, { form, author }) =>
      form === 'post' || form === 'reply' ? wants(viewer, author) : undefined,
  },
  'GET /api/v1/accounts/:id/statuses': {
    paths: (world) =>
      [...idsOf(world), world.friendId].flatMap((id) => [
        `/api/v1/accounts/${id}/statuses?limit=40`,
        `/api/v1/accounts/${id}/statuses?pinned=true`,
        `/api/v1/accounts/${id}/statuses?tagged=matrix&exclude_replies=true`,
      ]),
    // As in Mastodon, reblogs of unwanted authors are left out, while their own profiles still show their
    // posts.
    shows: (viewer, item) => item.form !== 'boost' || wants(viewer, item.author),
  },
  'GET /api/v1/timelines/public': {
    paths: path('/api/v1/timelines/public?limit=40', '/api/v1/timelines/public?remote=true'),
    shows: inPublic,
  },
  'GET /api/v1/timelines/tag/:hashtag': {
    paths: path('/api/v1/timelines/tag/matrix?limit=40', '/api/v1/timelines/tag/nothing?any[]=matrix'),
    shows: inPublic,
  },
  'GET /api/v1/timelines/home': {
    paths: path('/api/v1/timelines/home?limit=40'),
    shows: (viewer, item) => {
      if (!wants(viewer, item.author)) return false;
      return viewer === 'follower' && (item.form === 'post' || item.form === 'reblog') ? true : undefined;
    },
  },
  'GET /api/v1/timelines/list/:list_id': {
    paths: ({ lists }, viewer) =>
      lists[viewer] === undefined ? [] : [`/api/v1/timelines/list/${lists[viewer]}?limit=40`],
    shows: (viewer, item) => {
      if (!wants(viewer, item.author)) return false;
      return viewer === 'follower' && item.form === 'post' ? true : undefined;
    },
  },
  'GET /api/v2/search': {
    // All authors are indexable, and every viewer has marked all posts they saw.
    paths: (_world, viewer) =>
      viewer === 'anonymous'
        ? ['/api/v2/search?type=statuses&q=xyzzy']
        : ['xyzzy', 'in:library', '-nothing'].map((q) => `/api/v2/search?type=statuses&limit=40&q=${q}`),
    shows: (viewer, item) =>
      viewer !== 'anonymous' && item.form !== 'boost' && item.form !== 'reblog' && wants(viewer, item.author),
  },
  'GET /api/v1/favourites': {
    paths: path('/api/v1/favourites?limit=40'),
    shows: (viewer, item) => favouritable(item) && sawOnce(viewer, item),
  },
  'GET /api/v1/bookmarks': {
    paths: path('/api/v1/bookmarks?limit=40'),
    shows: (viewer, item) => bookmarkable(item) && sawOnce(viewer, item),
  },
  'GET /api/v1/conversations': {
    paths: path('/api/v1/conversations?limit=40'),
    shows: (viewer, item) => {
      if (item.visibility !== 'direct' || !wants(viewer, item.author)) return false;
      return viewer === 'mentioned' ? true : undefined;
    },
  },
  'GET /api/v1/notifications': {
    paths: path('/api/v1/notifications?limit=80', '/api/v1/notifications?include_filtered=true'),
    shows: mentions,
  },
  'GET /api/v2/notifications': {
    paths: path('/api/v2/notifications?limit=80&include_filtered=true'),
    shows: mentions,
  },
  'GET /api/v1/notifications/requests': {
    paths: path('/api/v1/notifications/requests?limit=80'),
    shows: unlessUnwanted,
  },
};

/** Endpoints that name an account beside others. Hidden accounts must be absent there. */
export const ACCOUNT_SURFACES: Record<string, (world: World) => string> = {
  'GET /api/v1/statuses/:id/favourited_by': ({ rootId }) => `/api/v1/statuses/${rootId}/favourited_by`,
  'GET /api/v1/statuses/:id/reblogged_by': ({ rootId }) => `/api/v1/statuses/${rootId}/reblogged_by`,
  'GET /api/v1/accounts/:id/followers': ({ friendId }) => `/api/v1/accounts/${friendId}/followers`,
  'GET /api/v1/accounts/:id/following': ({ friendId }) => `/api/v1/accounts/${friendId}/following`,
  'GET /api/v1/directory': () => '/api/v1/directory?limit=80',
  'GET /api/v1/accounts/:id/endorsements': ({ friendId }) => `/api/v1/accounts/${friendId}/endorsements`,
};

const ONE_ACCOUNT =
  'the requested account: everybody may read a profile, of a suspended account only the name';
const OWN_LIST = 'accounts that the reader added or that asked the reader; suspended accounts are left out';
const OWN_MEDIA = 'uploads of the reader that are in no post yet; test/visibility/own.api.spec.ts';
const OWN_YEARS = 'the reader and their own posts; test/annual-reports/annual-reports.api.spec.ts';
const OF_NOTIFICATION = 'one of the notifications of the lists; test/notifications/visibility.api.spec.ts';

const ACCOUNTS_FOR_STAFF = 'all accounts, for staff; test/admin-accounts/admin-accounts.api.spec.ts';
const CONTACT = 'the contact account, which is public; test/instance/instance.api.spec.ts';
const FOR_STAFF = 'reported posts, which staff may always see; test/reports/evidence.api.spec.ts';

const OF_APPEALS = 'posts of strikes, for staff; test/admin-appeals/admin-appeals.api.spec.ts';

/** Reviewed: endpoints that return posts or accounts and need no row here. */
export const EXCEPTIONS: Record<string, string> = {
  'GET /api/v2/instance': CONTACT,
  'GET /api/v1/instance': CONTACT,
  'GET /api/v1/accounts/verify_credentials': 'the account of the reader',
  'GET /api/v1/accounts/lookup': ONE_ACCOUNT,
  'GET /api/v1/accounts': ONE_ACCOUNT,
  'GET /api/v1/accounts/:id': ONE_ACCOUNT,
  'GET /api/v1/accounts/search': 'finds muted accounts too; test/accounts/search.api.spec.ts',
  'GET /api/v1/accounts/familiar_followers': 'test/accounts/familiar-followers.api.spec.ts',
  'GET /api/v1/collections/:id': 'test/collections/collections.api.spec.ts',
  'GET /api/v1/follow_requests': OWN_LIST,
  'GET /api/v1/lists/:id/accounts': OWN_LIST,
  'GET /api/v1/blocks': OWN_LIST,
  'GET /api/v1/mutes': OWN_LIST,
  'GET /api/v1/endorsements': OWN_LIST,
  'GET /api/v1/suggestions': 'test/suggestions/suggestions.api.spec.ts',
  'GET /api/v2/suggestions': 'test/suggestions/suggestions.api.spec.ts',
  'GET /api/v1/trends/links': 'cards of posts that the reader may see; test/trends/trends.api.spec.ts',
  'GET /api/v1/admin/trends/links': 'test/trends/trends.api.spec.ts',
  'GET /api/v1/trends/statuses': 'test/trends/trends.api.spec.ts',
  'GET /api/v1/admin/trends/statuses': 'test/trends/trends.api.spec.ts',
  'GET /api/v1/timelines/link':
    'has the conditions of the public timeline; test/timelines/public.api.spec.ts',
  'GET /api/v1/media/:id': OWN_MEDIA,
  'GET /api/v1/scheduled_statuses': OWN_MEDIA,
  'GET /api/v1/scheduled_statuses/:id': OWN_MEDIA,
  'GET /api/v1/annual_reports': OWN_YEARS,
  'GET /api/v1/annual_reports/:year': OWN_YEARS,
  'GET /api/v1/notifications/:id': OF_NOTIFICATION,
  'GET /api/v1/notifications/requests/:id': OF_NOTIFICATION,
  'GET /api/v1/admin/accounts': ACCOUNTS_FOR_STAFF,
  'GET /api/v2/admin/accounts': ACCOUNTS_FOR_STAFF,
  'GET /api/v1/admin/accounts/:id': ACCOUNTS_FOR_STAFF,
  'GET /api/v1/admin/roles': 'users with a role, for staff; test/console/server-endpoints.api.spec.ts',
  'GET /api/v1/admin/appeals': OF_APPEALS,
  'GET /api/v1/admin/appeals/:id': OF_APPEALS,
  'GET /api/v1/strikes': 'the account of the reader',
  'GET /api/v1/strikes/:id': 'the account of the reader',
  'GET /api/v1/admin/accounts/:id/record': ACCOUNTS_FOR_STAFF,
  'GET /api/v1/admin/reports/queue': 'all accounts, for staff; test/console/moderation.api.spec.ts',
  'GET /api/v1/admin/reports/:id/case': FOR_STAFF,
  'GET /api/v1/admin/reports': FOR_STAFF,
  'GET /api/v1/admin/reports/:id': FOR_STAFF,
  'GET /api/v1/admin/reports/:id/notes': 'their authors, for staff; test/reports/notes.api.spec.ts',
  'GET /api/v2/notifications/:group_key': OF_NOTIFICATION,
  'GET /api/v2/notifications/:group_key/accounts': OF_NOTIFICATION,
};
