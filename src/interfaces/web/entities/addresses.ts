import type { Instance } from '#kernel/context.ts';
import type { Account, Status } from '#mastodon/schemas/index.ts';
import type { View } from './view.ts';

/**
 * Returns an address that browsers may open; undefined for other schemes, which may run or request something.
 */
export function webAddress(address: string | null | undefined): string | undefined {
  const url = URL.parse(address ?? '');
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/**
 * Returns the remote page to redirect to: only at the origin of the id, because a server speaks only for
 * itself (GHSA-xqw8-4j56-5hj6).
 */
export function farPage({ url, uri }: { url: string | null; uri: string }): string | undefined {
  const page = URL.parse(webAddress(url ?? uri) ?? '');
  return page && page.username === '' && page.origin === URL.parse(uri)?.origin ? page.href : undefined;
}

/** Returns the path of a profile on this server. */
export const profilePath = ({ acct }: Pick<Account, 'acct'>): string => `/@${acct}`;

/** Returns the path of a post on this server. */
export const statusPath = ({ account, id }: Pick<Status, 'account' | 'id'>): string =>
  `${profilePath(account)}/${id}`;

/**
 * Returns the page of a post. Signed-in users see all posts here; for others, remote ones are on their own
 * server.
 */
export const pageOfStatus = (
  status: Pick<Status, 'id' | 'account' | 'url' | 'uri'>,
  { user }: Pick<View, 'user'> = {},
): string | undefined => (user ? statusPath(status) : (webAddress(status.url) ?? webAddress(status.uri)));

/** Returns the page of an account, in the same way. */
export const pageOfAccount = (
  account: Pick<Account, 'acct' | 'url' | 'uri'>,
  { user }: Pick<View, 'user'> = {},
): string | undefined => (user ? profilePath(account) : (webAddress(account.url) ?? webAddress(account.uri)));

/** Returns `@alice@rookery.example`, also for local accounts. */
export const handleOf = ({ acct }: Pick<Account, 'acct'>, { domain }: Instance): string =>
  `@${acct}${acct.includes('@') ? '' : `@${domain}`}`;

/**
 * Returns true if this server serves a file. Pages load no other files: that keeps readers private, and the
 * Content-Security-Policy requires it.
 */
export const isOurs = (
  url: string | null | undefined,
  { origin, mediaOrigin }: Pick<Instance, 'origin' | 'mediaOrigin'>,
): url is string => url != null && (url.startsWith(`${origin}/`) || url.startsWith(`${mediaOrigin}/`));

/** The sources of such files, for the Content-Security-Policy. */
export const ourSources = ({ origin, mediaOrigin }: Instance): string => `'self' ${origin} ${mediaOrigin}/`;
