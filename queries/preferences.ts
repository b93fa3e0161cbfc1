import { endpoint } from '../src/kernel/endpoint.ts';
import { notFound } from '../src/kernel/errors.ts';
import { statement, type Db } from '../src/kernel/read.ts';
import { DEFAULT_PRIVACY } from './entities/default-privacy.ts';
import { preferencesSchema, type Preferences } from '../src/mastodon/schemas/index.ts';

const PREFERENCES = statement(
  'preferences_show',
  `select ${DEFAULT_PRIVACY} as privacy, u.sensitive, coalesce(u.language, u.locale) as language, u.quote_policy, u.expand_media, u.expand_spoilers,
     u.aggregate_reblogs, u.autoplay_gifs
   from users u join accounts a on a.id = u.account_id where u.account_id = $1`,
);

interface Row {
  privacy: Preferences['posting:default:visibility'];
  sensitive: boolean;
  language: string | null;
  quote_policy: Preferences['posting:default:quote_policy'];
  expand_media: Preferences['reading:expand:media'];
  expand_spoilers: boolean;
  aggregate_reblogs: boolean;
  autoplay_gifs: boolean;
}

/** https://docs.joinmastodon.org/entities/Preferences/. A user without a chosen language posts in that of their interface. @throws RookeryError `not_found` */
export async function preferencesOf(db: Db, accountId: string): Promise<Preferences> {
  const [row] = await db.query<Row>(PREFERENCES, [accountId]);
  if (!row) throw notFound();
  return {
    'posting:default:visibility': row.privacy,
    'posting:default:sensitive': row.sensitive,
    'posting:default:language': row.language,
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
