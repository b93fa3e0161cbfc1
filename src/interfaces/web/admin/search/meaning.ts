import { isIP } from 'node:net';
import { isId } from '#kernel/ids.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';

/** The parameters of a list of accounts. */
export type AccountConditions = Readonly<Partial<Record<'username' | 'email' | 'by_domain' | 'ip', string>>>;

/** The possible meanings of a text of the search box, by its form. */
export interface Meaning {
  /** Lists of accounts, each with one meaning of the text. */
  accounts: readonly AccountConditions[];
  /** The subjects of histories, by an id, a domain or a part of the name of a setting. */
  subjects: boolean;
  /** The id of a post, a report or an account, or a position of the log. */
  number?: string;
  domain?: string;
  handle?: string;
  correlation?: string;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Returns what a text may mean. Subjects are asked for only where the text is no address, because the audit log
 * keeps what was asked. Pure.
 */
export function meaningOf(text: string, ownDomain: string): Meaning {
  if (isIP(text) !== 0) return { accounts: [{ ip: text }], subjects: false };
  if (isId(text)) return { accounts: [], subjects: true, number: text };
  if (UUID.test(text)) return { accounts: [], subjects: false, correlation: text };
  const bare = text.replace(/^@+/, '');
  // An empty beginning would match every account.
  if (bare === '') return { accounts: [], subjects: false };
  const handle = bare.toLowerCase().endsWith(`@${ownDomain}`) ? bare.slice(0, -ownDomain.length - 1) : bare;
  if (text.startsWith('@')) return { accounts: [{ username: handle }], subjects: false, handle };
  if (ADDRESS.test(text))
    return { accounts: [{ email: text }, { username: handle }], subjects: false, handle };
  const domain = text.includes('.') ? canonicalDomain(text) : undefined;
  if (domain !== undefined) return { accounts: [{ by_domain: domain }], subjects: true, domain };
  return { accounts: [{ username: text }], subjects: true, handle: text };
}
