import { type Db, statement } from '#kernel/read.ts';
import { knownToServers } from '../visibility/federation.ts';

/** Accounts with more followers are not compared with other servers, as in Mastodon: it costs too much. */
const MAX_FOLLOWERS = 25_000;
/** The maximum number of followers of one server, known or listed. */
export const MAX_LISTED = 10_000;

/** The digest of followers: the SHA-256 hash of each URI, combined by XOR (FEP-8fcf). */
const DIGEST = `bit_xor(('x' || encode(sha256(convert_to(a.uri, 'UTF8')), 'hex'))::bit(256))::text`;
/** `http` or `https`, and the host. */
const SITE = `substring(a.uri from '^https?://[^/]+')`;

const FAR = statement<{ site: string; bits: string }>(
  'federation_followers_digests',
  `select ${SITE} as site, ${DIGEST} as bits from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = $1 and a.domain is not null and ${SITE} is not null
     and not exists (select from account_stats st where st.account_id = $1 and st.followers_count >= ${MAX_FOLLOWERS})
   group by 1`,
);
const TOO_MANY = statement<{ many: boolean }>(
  'federation_too_many_followers',
  `select exists (select from account_stats where account_id = $1 and followers_count >= ${MAX_FOLLOWERS}) as many`,
);
const HERE = statement<{ bits: string | null }>(
  'federation_followers_digest_here',
  `select ${DIGEST} as bits from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = $1 and a.domain is null`,
);
const OF_SITE = statement<{ uri: string }>(
  'federation_followers_of_site',
  `select a.uri from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = $1 and a.domain is not null and starts_with(a.uri, $2 || '/')
   order by f.id limit ${MAX_LISTED}`,
);
const UNLISTED = statement<{ id: string }>(
  'federation_unlisted_followers',
  `select a.id from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = $1 and a.domain is null and a.uri <> all($2) order by f.id limit ${MAX_LISTED}`,
);
const STRANGERS = statement<{ id: string; requested: boolean }>(
  'federation_listed_strangers',
  `select a.id, exists (select from follow_requests r where r.account_id = a.id and r.target_account_id = $1) as requested
   from accounts a
   where a.uri = any($2) and not a.suspended and ${knownToServers()}
     and not exists (select from follows f where f.account_id = a.id and f.target_account_id = $1)
   order by a.id limit ${MAX_LISTED}`,
);

/** The digest of no followers. */
export const EMPTY_DIGEST = '0'.repeat(64);

/** 256 binary digits as hexadecimal ones. */
const hexadecimal = (bits: string | null | undefined): string =>
  bits == null ? EMPTY_DIGEST : BigInt(`0b${bits}`).toString(16).padStart(64, '0');

/**
 * Returns the digests of a local account's followers on other servers, by the origin of their URIs; undefined
 * for too many followers.
 */
export async function followersDigests(
  db: Db,
  accountId: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const rows = await db.query(FAR, [accountId]);
  if (rows.length > 0) return new Map(rows.map(({ site, bits }) => [site, hexadecimal(bits)]));
  const [row] = await db.query(TOO_MANY, [accountId]);
  return row?.many === true ? undefined : new Map();
}

/** Returns the digest of the local followers of a remote account. */
export const followersDigestHere = async (db: Db, accountId: string): Promise<string> =>
  hexadecimal((await db.query(HERE, [accountId]))[0]?.bits);

/** Returns the URIs of the followers that a local account has at an origin. */
export const followersAt = async (db: Db, accountId: string, origin: string): Promise<string[]> =>
  (await db.query(OF_SITE, [accountId, origin])).map(({ uri }) => uri);

/** Returns the local accounts that follow an account of another server, without those of these URIs. */
export const unlistedFollowers = async (
  db: Db,
  accountId: string,
  listed: readonly string[],
): Promise<string[]> => (await db.query(UNLISTED, [accountId, listed])).map(({ id }) => id);

/** Returns the local accounts, by their URIs, that do not follow an account; some may have asked to. */
export const listedStrangers = (
  db: Db,
  accountId: string,
  listed: readonly string[],
): Promise<{ id: string; requested: boolean }[]> => db.query(STRANGERS, [accountId, listed]);
