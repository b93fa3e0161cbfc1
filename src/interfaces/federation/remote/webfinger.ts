import { isActivityType } from '../negotiation.ts';
import { assertAllowed, type RemoteAccess } from './documents.ts';
import { isObject, listOf, parseDocument } from './json.ts';
import { RemoteError } from './remote-error.ts';

export interface Handle {
  username: string;
  /** Lower case, ASCII; with the port if there is one. */
  domain: string;
}

/** A JRD is short. */
const MAX_BYTES = 65_536;
const MAX_LINKS = 100;

/**
 * Parses a handle: `alice@far.example`, optionally with a leading `@` or `acct:`; undefined for other text.
 * All spellings of a domain are equal (CVE-2023-42451).
 */
export function parseHandle(text: string): Handle | undefined {
  const match = /^(?:acct:|@)?([^@\s/:]+)@([^@\s/?#\\]+)$/i.exec(text.trim());
  const domain = match && canonicalDomain(match[2] ?? '');
  return domain === undefined || domain === null ? undefined : { username: match?.[1] ?? '', domain };
}

function canonicalDomain(text: string): string | undefined {
  const url = URL.parse(`https://${text}`);
  if (!url || url.username !== '' || url.password !== '' || url.pathname !== '/') return undefined;
  const host = url.host.replace(/\.(?=$|:)/, '');
  return host === '' || host.length > 253 ? undefined : host;
}

/**
 * Looks up a handle at its domain: RFC 7033, https://docs.joinmastodon.org/spec/webfinger/. @returns the
 * account's handle by that answer, and the address of its actor @throws RemoteError when there is none, such
 * as for accounts with OStatus only; FetchError
 */
export async function finger(
  others: RemoteAccess,
  handle: Handle,
  signal?: AbortSignal,
): Promise<Handle & { uri: string }> {
  await assertAllowed(others, handle.domain);
  const { http, instance } = others;
  const scheme = instance.origin.startsWith('http:') ? 'http' : 'https';
  const resource = encodeURIComponent(`acct:${handle.username}@${handle.domain}`);
  const response = await http.fetch(
    `${scheme}://${handle.domain}/.well-known/webfinger?resource=${resource}`,
    {
      headers: { accept: 'application/jrd+json, application/json' },
      accepts: (type) => /^application\/(?:jrd\+)?json(?:\s*;|$)/i.test(type),
      maxBytes: MAX_BYTES,
      maxRedirects: 3,
      ...(signal ? { signal } : {}),
    },
  );
  const { status } = response;
  if (status !== 200) throw new RemoteError(`answers WebFinger with ${status}`, { status });
  const { subject, links } = parseDocument(response.body.toString('utf8'), response.body);
  const named = typeof subject === 'string' && /^acct:/i.test(subject) ? parseHandle(subject) : undefined;
  if (!named) throw new RemoteError('does not say whom it means');
  const self = listOf(links, MAX_LINKS).find(
    (link) =>
      isObject(link) &&
      link['rel'] === 'self' &&
      typeof link['type'] === 'string' &&
      isActivityType(link['type']),
  );
  const uri = isObject(self) ? self['href'] : undefined;
  if (typeof uri !== 'string') throw new RemoteError('has no ActivityPub account of that name');
  return { ...named, uri };
}
