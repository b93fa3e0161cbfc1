import { type Step, step } from '../step.ts';

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'GET /api/v1/timelines/home': ['', 'limit=1', 'max_id={post}', 'min_id={post}', 'since_id={post}'],
  'GET /api/v1/timelines/public': ['', 'local=true', 'remote=true', 'only_media=true', 'local=x', 'limit=1'],
  'GET /api/v1/timelines/tag/rooks': ['', 'any[]=birds', 'all[]=birds', 'none[]=rooks', 'limit=1'],
  'GET /api/v1/timelines/list/{list}': ['', 'limit=1'],
  'GET /api/v1/timelines/link': ['', 'url=https://example.com/'],
  'GET /api/v1/notifications': ['', 'types[]=mention', 'exclude_types[]=mention', 'types=mention', 'limit=1'],
  'GET /api/v2/notifications': [
    '',
    'grouped_types[]=favourite',
    'expand_accounts=partial_avatars',
    'limit=1',
  ],
  'GET /api/v1/notifications/unread_count': ['', 'limit=1'],
  'GET /api/v1/notifications/policy': [''],
  'GET /api/v2/notifications/policy': [''],
  'GET /api/v1/notifications/requests': [''],
  'GET /api/v1/conversations': ['', 'limit=1'],
  'GET /api/v1/favourites': ['', 'limit=1'],
  'GET /api/v1/bookmarks': ['', 'limit=1'],
  'GET /api/v1/mutes': [''],
  'GET /api/v1/blocks': [''],
  'GET /api/v1/preferences': [''],
  'GET /api/v1/profile': [''],
  'GET /api/v1/scheduled_statuses': ['', 'limit=1'],
  'GET /api/v1/filters': [''],
  'GET /api/v2/filters': [''],
  'GET /api/v1/followed_tags': [''],
  'GET /api/v1/featured_tags': [''],
  'GET /api/v1/featured_tags/suggestions': [''],
  'GET /api/v1/endorsements': [''],
  'GET /api/v1/suggestions': [''],
  'GET /api/v2/suggestions': [''],
  'GET /api/v1/trends/tags': [''],
  'GET /api/v1/trends/statuses': [''],
  'GET /api/v1/trends/links': [''],
  'GET /api/v1/push/subscription': [''],
  'GET /api/v1/emails/check_confirmation': [''],
  'GET /api/v2/search': [
    'q=bob',
    'q=%23rooks',
    'q=bob&type=accounts',
    'q=bob&type=x',
    'q=',
    'q=%25',
    'q=bob&limit=0',
  ],
  'GET /api/oembed': ['', 'url=https://nowhere.example/@x/1'],
};

/** Requests for timelines and the other lists that a user reads. */
export const reads: readonly Step[] = Object.entries(QUERIES).flatMap(([operation, queries]) =>
  queries.flatMap((query) =>
    (['alice', undefined] as const).map((as) => step(as, operation, {}, query === '' ? {} : { query })),
  ),
);
