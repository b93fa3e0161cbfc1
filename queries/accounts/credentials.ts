import type { Profile } from '#events/accounts.ts';
import { batcherPerDb } from '#kernel/batcher.ts';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { credentialAccountSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountMembers, type AccountRow } from '../entities/account.ts';
import { DEFAULT_PRIVACY } from '../entities/default-privacy.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { roleJson } from '../entities/role.ts';

const CREDENTIALS = statement<Row>(
  'account_credentials',
  `select (q.n - 1)::int as place, ${ACCOUNT_COLUMNS}, a.profile, u.role, ${DEFAULT_PRIVACY} as privacy,
     u.sensitive, u.language, u.quote_policy,
     (select count(*)::int from follow_requests r join accounts ra on ra.id = r.account_id
      where r.target_account_id = a.id and not ra.suspended) as follow_requests_count
   from unnest((select $1::bigint[])) with ordinality as q (id, n)
   join accounts a on a.id = q.id join users u on u.account_id = a.id ${ACCOUNT_STATS}`,
);

interface Row extends AccountRow {
  place: number;
  profile: string;
  role: string | null;
  privacy: string;
  sensitive: boolean;
  language: string | null;
  quote_policy: string;
  follow_requests_count: number;
}

/** Concurrent requests of several owners share one query. */
const owners = batcherPerDb<string, Row>((db) => async (ids) => {
  const rows = await db.query(CREDENTIALS, [ids]);
  const found = new Map(rows.map((row) => [row.place, row]));
  return ids.map((_, place) => found.get(place));
});

/** Returns the user's own account as ready JSON. @throws RookeryError `not_found` */
export async function credentialsText(db: Db, instance: Instance, accountId: string): Promise<string> {
  const row = await owners(db).get(accountId);
  if (!row) throw notFound();
  const profile = JSON.parse(row.profile) as Profile;
  const source = {
    note: profile.note,
    fields: profile.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    privacy: row.privacy,
    sensitive: row.sensitive,
    language: row.language,
    follow_requests_count: row.follow_requests_count,
    hide_collections: profile.hide_collections,
    discoverable: profile.discoverable,
    indexable: profile.indexable,
    attribution_domains: profile.attribution_domains,
    quote_policy: row.quote_policy,
  };
  const members = `${accountMembers(row)},"source":${JSON.stringify(source)},"role":${roleJson(row.role)}`;
  return fillOrigins(`{${members}}`, instance);
}

export const verifyCredentials = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/verify_credentials',
  summary: 'View the account behind the token',
  auth: 'user',
  scopes: ['read:accounts', 'profile'],
  reply: credentialAccountSchema,
  handler: async (ctx) => {
    return { text: await credentialsText(ctx.db, ctx.instance, ctx.viewer.account_id) };
  },
});
