import { batcherPerDb } from '#kernel/batcher.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { postLanguage } from '#mastodon/languages.ts';
import { type Preferences, preferencesSchema } from '#mastodon/schemas/index.ts';
import { DEFAULT_PRIVACY } from './entities/default-privacy.ts';

const PREFERENCES = statement<Row>(
  'preferences_show',
  `select (q.n - 1)::int as place, ${DEFAULT_PRIVACY} as privacy, u.sensitive, coalesce(u.language, u.locale) as language,
     u.quote_policy, u.expand_media, u.expand_spoilers, u.aggregate_reblogs, u.autoplay_gifs
   from unnest((select $1::bigint[])) with ordinality as q (id, n)
   join users u on u.account_id = q.id join accounts a on a.id = u.account_id`,
);

interface Row {
  place: number;
  privacy: Preferences['posting:default:visibility'];
  sensitive: boolean;
  language: string | null;
  quote_policy: Preferences['posting:default:quote_policy'];
  expand_media: Preferences['reading:expand:media'];
  expand_spoilers: boolean;
  aggregate_reblogs: boolean;
  autoplay_gifs: boolean;
}

/** Concurrent requests of several users share one query. */
const users = batcherPerDb<string, Row>(
  (db) => async (ids) => {
    const rows = await db.query(PREFERENCES, [ids]);
    const found = new Map(rows.map((row) => [row.place, row]));
    return ids.map((_, place) => found.get(place));
  },
  { maxConcurrent: 1 },
);

/** https://docs.joinmastodon.org/entities/Preferences/. A user without a chosen language posts in that of their interface. @throws RookeryError `not_found` */
export async function preferencesOf(db: Db, accountId: string): Promise<Preferences> {
  const row = await users(db).get(accountId);
  if (!row) throw notFound();
  return {
    'posting:default:visibility': row.privacy,
    'posting:default:sensitive': row.sensitive,
    'posting:default:language': postLanguage(row.language),
    'posting:default:quote_policy': row.quote_policy,
    'reading:expand:media': row.expand_media,
    'reading:expand:spoilers': row.expand_spoilers,
    'reading:autoplay:gifs': row.autoplay_gifs,
    'reading:aggregate:reblogs': row.aggregate_reblogs,
  };
}

/** https://docs.joinmastodon.org/methods/preferences/ */
export const showPreferences = endpoint({
  method: 'GET',
  path: '/api/v1/preferences',
  summary: 'View your preferences',
  auth: 'user',
  scopes: ['read:accounts'],
  reply: preferencesSchema,
  handler: async (ctx) => {
    return { json: await preferencesOf(ctx.db, ctx.viewer.account_id) };
  },
});

export const preferenceQueries = [showPreferences];
