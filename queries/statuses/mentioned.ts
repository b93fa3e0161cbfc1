import type { Instance } from '#kernel/context.ts';
import { type Db, statement } from '#kernel/read.ts';
import { aliasDigest, idOfHandle, shownDomain } from '../entities/handles.ts';
import { mentionableBy } from '../visibility/accounts.ts';

export interface MentionedAccount {
  id: string;
  username: string;
  acct: string;
  url: string;
}

/** The accounts that the handles of a text name. */
export interface NamedAccounts {
  /** By handle, in lower case, without a leading @. */
  mentioned: ReadonlyMap<string, MentionedAccount>;
  /** The handles that no known account has. */
  unknown: readonly string[];
}

const MENTIONED = statement<Row>(
  'posting_mentioned',
  `select a.id, a.username, ${shownDomain()} as domain, a.url, n.acct_key, ${mentionableBy('$2::bigint')} as mentionable
   from unnest($1::text[], $3::text[], $4::bigint[]) as n (acct_key, digest, met)
   join accounts a on a.id = coalesce(${idOfHandle('n.acct_key', 'n.digest')}, n.met)`,
);

interface Row extends Omit<MentionedAccount, 'acct'> {
  domain: string | null;
  acct_key: string;
  mentionable: boolean;
}

interface Asking {
  /** The author of a post, who cannot mention accounts that block them. */
  authorId?: string;
  /** The ids of accounts that were met by handles which the read models may not know yet. */
  aliases?: ReadonlyMap<string, string>;
}

/**
 * Returns the accounts of handles, local ones with or without the local domain. Accounts that cannot be
 * mentioned are in neither part of the result. One statement.
 */
export async function accountsOfHandles(
  db: Db,
  instance: Instance,
  handles: readonly string[],
  { authorId, aliases = new Map() }: Asking = {},
): Promise<NamedAccounts> {
  if (handles.length === 0) return { mentioned: new Map(), unknown: [] };
  const own = `@${instance.domain.toLowerCase()}`;
  const keyOf = (handle: string): string => (handle.endsWith(own) ? handle.slice(0, -own.length) : handle);
  const met = new Map([...aliases].map(([handle, id]) => [keyOf(handle), id]));
  const keys = [...new Set(handles.map(keyOf))];
  const rows = await db.query(MENTIONED, [
    keys,
    authorId ?? null,
    keys.map(aliasDigest),
    keys.map((key) => met.get(key) ?? null),
  ]);
  const byKey = new Map(rows.map((row) => [row.acct_key, row]));
  const rowOf = (handle: string): Row | undefined => byKey.get(keyOf(handle));
  return {
    mentioned: new Map(
      handles.flatMap((handle) => {
        const row = rowOf(handle);
        return row?.mentionable === true ? [[handle, accountOf(row)]] : [];
      }),
    ),
    unknown: handles.filter((handle) => !rowOf(handle)),
  };
}

const accountOf = ({ id, username, domain, url }: Row): MentionedAccount => ({
  id,
  username,
  acct: domain === null ? username : `${username}@${domain}`,
  url,
});
