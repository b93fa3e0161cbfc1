import type { Instance } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { aliasDigest, idOfHandle, shownDomain } from '../entities/handles.ts';
import { letIn } from '../visibility/accounts.ts';

const BY_HANDLE = statement<{ id: string }>(
  'account_by_handle',
  `select id from accounts where id = ${idOfHandle('$1', '$2')} and not suspended`,
);
const BY_HANDLE_SUSPENDED = statement<{ id: string }>(
  'account_by_handle_suspended',
  `select id from accounts where id = ${idOfHandle('$1', '$2')}`,
);
const BY_HANDLES = statement<KeyedAccount>(
  'accounts_by_handles',
  `select a.id, n.acct_key, a.suspended from unnest($1::text[], $2::text[]) as n (acct_key, digest)
   join accounts a on a.id = ${idOfHandle('n.acct_key', 'n.digest')}`,
);
const BY_URI = statement<{ id: string }>(
  'account_by_uri',
  'select id from accounts where uri = $1 and not suspended',
);
const HANDLES = statement<KnownHandle>(
  'account_handles',
  `select a.id, a.username, ${shownDomain()} as domain from accounts a where a.id = any($1)`,
);
const KNOWN = statement<{ id: string }>(
  'account_known',
  `select a.id from accounts a where a.id = $1 and ${letIn()}`,
);

/**
 * Returns the id of a known account by `name`, `name@domain` (either with a leading @ or `acct:`), or its
 * ActivityPub URI.
 */
export async function accountIdOf(db: Db, instance: Instance, name: string): Promise<string | undefined> {
  const text = name.trim().replace(/^acct:/i, '');
  const [row] = /^https?:/i.test(text)
    ? await db.query(BY_URI, [text])
    : await db.query(BY_HANDLE, handleValues(text, instance));
  return row?.id;
}

/** Returns the id of the account with a handle, suspended or not; undefined when it is unknown. */
export async function accountIdOfHandle(
  db: Db,
  instance: Instance,
  handle: string,
): Promise<string | undefined> {
  const [row] = await db.query(BY_HANDLE_SUSPENDED, handleValues(handle, instance));
  return row?.id;
}

/** An account, by its handle in the form of `acctKey`. */
export interface KeyedAccount {
  id: string;
  acct_key: string;
  suspended: boolean;
}

/** Returns the known accounts with these handles, each in the form of `acctKey`. */
export async function accountsOfKeys(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KeyedAccount>> {
  const rows = await db.query(BY_HANDLES, [keys, keys.map(aliasDigest)]);
  return new Map(rows.map((row) => [row.acct_key, row]));
}

/** The username of an account, and its server; null for this one. */
export interface KnownHandle {
  id: string;
  username: string;
  domain: string | null;
}

/** Returns the handles of known accounts by id, suspended or not. */
export async function handlesOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, KnownHandle>> {
  const rows = await db.query(HANDLES, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns true for a known account, also a suspended one; false for one that is deleted or not yet approved. */
export async function isKnownAccount(db: Db, accountId: string): Promise<boolean> {
  return (await db.query(KNOWN, [accountId])).length > 0;
}

/** Throws RookeryError `not_found` for an unknown account. A suspended account is known, a deleted one is not. */
export async function requireAccount(db: Db, accountId: string): Promise<void> {
  if (!(await isKnownAccount(db, accountId))) throw notFound();
}

/** Returns the values of `idOfHandle`. */
export function handleValues(handle: string, instance: Instance): [key: string, digest: string] {
  const key = acctKey(handle, instance);
  return [key, aliasDigest(key)];
}

/**
 * Returns a handle in the form of `accounts.acct_key`: lower case, without a leading @ and without the local
 * domain.
 */
export function acctKey(acct: string, { domain }: Instance): string {
  const [username = '', given] = acct.trim().replace(/^@/, '').toLowerCase().split('@');
  const host = given && (canonicalDomain(given) ?? given);
  return host === undefined || host === domain.toLowerCase() ? username : `${username}@${host}`;
}
