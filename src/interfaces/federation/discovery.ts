import type { Instance } from '#kernel/context.ts';
import { notFound, RookeryError } from '#kernel/errors.ts';
import { isOwnAddress } from '#kernel/own-address.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { image } from './documents/pictures.ts';
import { ACTIVITY_JSON } from './negotiation.ts';

/** Longer resources identify no account. */
const MAX_RESOURCE = 2_048;

/** The subject of a WebFinger resource, by its text only. */
export type Resource = { kind: 'account'; username: string } | { kind: 'instance' };

/**
 * Parses the `resource` of a query (RFC 7033 section 4.1): `acct:alice@domain`, with our domain in either
 * form, or the address of an actor or its page. @throws RookeryError `bad_request` when it is absent,
 * repeated or no URI; `not_found` when it is not local
 */
export function parseResource(query: URLSearchParams, instance: Instance): Resource {
  const given = query.getAll('resource');
  const [text = ''] = given;
  if (given.length !== 1 || text === '' || text.length > MAX_RESOURCE) throw malformed();
  if (/^https?:/i.test(text)) return byUrl(text, instance);
  // Some servers omit the scheme.
  const handle = /^(?:acct:|@)?([^@/\s]+)@([^@/\s]+)$/i.exec(text);
  if (handle) return byHandle(handle[1] ?? '', handle[2] ?? '', instance);
  // Other schemes identify no local account.
  if (/^[a-z][a-z0-9+.-]*:./i.test(text) && !/^acct:/i.test(text)) throw notFound();
  throw malformed();
}

const malformed = (): RookeryError =>
  new RookeryError('bad_request', 'The resource must be one acct: or https: URI');

function byHandle(name: string, domain: string, { domain: own, origin }: Instance): Resource {
  // Some servers send the domain in Unicode.
  const asked = canonicalDomain(domain) ?? domain.toLowerCase();
  if (asked !== own.toLowerCase() && asked !== new URL(origin).host) throw notFound();
  const username = decoded(name);
  return username.toLowerCase() === own.toLowerCase() ? { kind: 'instance' } : { kind: 'account', username };
}

function byUrl(text: string, instance: Instance): Resource {
  const url = URL.parse(text);
  if (!url) throw malformed();
  if (!isOwnAddress(url, instance) || url.search !== '' || url.username !== '') throw notFound();
  if (url.pathname === '/actor' || url.pathname === '/') return { kind: 'instance' };
  const username = /^\/(?:@|users\/)([^/]+)$/.exec(url.pathname)?.[1];
  if (username === undefined) throw notFound();
  return { kind: 'account', username: decoded(username) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed();
  }
}

/** https://datatracker.ietf.org/doc/html/rfc7033#section-4.4 */
interface Jrd {
  subject: string;
  aliases: string[];
  links: Link[];
}
type Link = { rel: string; type: string; href: string } | { rel: string; template: string };

/** The address at which a local user follows an account that they found on another server. */
const SUBSCRIBE = 'http://ostatus.org/schema/1.0/subscribe';

/** The intents that pages of other servers can pass on: https://w3id.org/fep/3b86 */
const INTENTS = { create: 'https://w3id.org/fep/3b86/Create', object: 'https://w3id.org/fep/3b86/Object' };
const AVATAR = 'http://webfinger.net/rel/avatar';

/** An actor in the form that WebFinger needs. */
export interface Described {
  username: string;
  uri: string;
  url: string;
  /** The key of its picture in the media store. */
  avatar?: string | undefined;
}

/** Returns the WebFinger descriptor of an actor; with `rel`s in the query, only their links. */
export function descriptor(
  { username, uri, url, avatar }: Described,
  query: URLSearchParams,
  instance: Instance,
): Jrd {
  const { domain, origin } = instance;
  const wanted = new Set(query.getAll('rel'));
  const links = [
    { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: url },
    { rel: 'self', type: ACTIVITY_JSON, href: uri },
    // The server's actor has no page to sign in.
    ...(uri === `${origin}/actor`
      ? []
      : [
          { rel: SUBSCRIBE, template: `${origin}/authorize_interaction?uri={uri}` },
          { rel: INTENTS.create, template: `${origin}/share?text={content}` },
          { rel: INTENTS.object, template: `${origin}/authorize_interaction?uri={object}` },
        ]),
    ...(avatar === undefined || instance.limitedFederation ? [] : [avatarLink(avatar, instance)]),
  ];
  return {
    subject: `acct:${username}@${domain}`,
    aliases: [...new Set([url, uri])],
    links: wanted.size === 0 ? links : links.filter(({ rel }) => wanted.has(rel)),
  };
}

function avatarLink(place: string, instance: Instance): Link {
  const { url, mediaType } = image(place, '', instance);
  return { rel: AVATAR, type: String(mediaType), href: String(url) };
}

/** Returns the address of WebFinger, for servers that ask `LOCAL_DOMAIN` (RFC 6415). */
const template = ({ origin }: Instance): string => `${origin}/.well-known/webfinger?resource={uri}`;

export const hostMeta = (instance: Instance): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">\n' +
  `  <Link rel="lrdd" template="${template(instance)}"/>\n` +
  '</XRD>\n';

export const hostMetaJson = (instance: Instance) => ({
  links: [{ rel: 'lrdd', template: template(instance) }],
});
