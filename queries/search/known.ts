import type { Instance } from '#kernel/context.ts';
import { isId } from '#kernel/ids.ts';
import { isOwnAddress } from '#kernel/own-address.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Resolved } from '#kernel/services/federation.ts';
import { accountIdOf, acctKey } from '../accounts/index.ts';

/**
 * Addresses are compared unchanged; both columns have a hash index. Local posts are found by the ids in their
 * addresses.
 */
const BY_ADDRESS = statement<{ account: string | null; status: string | null }>(
  'search_by_address',
  `select (select a.id from accounts a where a.uri = $1 or a.url = $1 order by a.uri = $1 desc limit 1) as account,
     (select s.id from statuses s where (s.uri = $1 or s.url = $1) and not s.local order by s.uri = $1 desc limit 1) as status`,
);
const IS_POST = statement<{ id: string }>(
  'search_is_post',
  `select s.id from statuses s join accounts a on a.id = s.account_id where s.id = $1 and a.acct_key = $2`,
);
/** `/@alice`, `/@alice@far.example`, `/users/alice`, and posts below them. */
const OWN_PAGE = /^\/(?:@|users\/)([\w.-]+(?:@[\w.:-]+)?)(?:\/(?:statuses\/)?([0-9]+))?\/?$/;

/**
 * Returns the known account or post that an address or a handle (`@alice`, `alice@far.example`,
 * `acct:alice@far.example`) names. The caller checks whether the viewer may see it.
 */
export async function findKnown(db: Db, instance: Instance, text: string): Promise<Resolved | undefined> {
  const url = addressIn(text);
  if (!url) {
    const account = await accountIdOf(db, instance, text);
    return account === undefined ? undefined : { account };
  }
  url.hash = '';
  if (isOwnAddress(url, instance)) {
    const own = await findOwn(db, instance, url.pathname);
    if (own) return own;
  }
  const { href } = url;
  return (await byAddress(db, href)) ?? (href.endsWith('/') ? byAddress(db, href.slice(0, -1)) : undefined);
}

/** Returns a web address; undefined for anything else. */
export function addressIn(text: string): URL | undefined {
  return /^https?:\/\/\S+$/i.test(text.trim()) ? (URL.parse(text.trim()) ?? undefined) : undefined;
}

async function byAddress(db: Db, href: string): Promise<Resolved | undefined> {
  const [row] = await db.query(BY_ADDRESS, [href]);
  if (row?.status != null) return { status: row.status };
  return row?.account != null ? { account: row.account } : undefined;
}

/** Returns the local or remote account or post of a page of this server. */
async function findOwn(db: Db, instance: Instance, path: string): Promise<Resolved | undefined> {
  const [, handle, id] = OWN_PAGE.exec(path) ?? [];
  if (handle === undefined) return undefined;
  if (id === undefined) {
    const account = await accountIdOf(db, instance, handle);
    return account === undefined ? undefined : { account };
  }
  if (!isId(id)) return undefined;
  const [row] = await db.query(IS_POST, [id, acctKey(handle, instance)]);
  return row && { status: row.id };
}
