import type { Interaction } from '#interfaces/web/entities/interact.ts';
import type { RequestContext } from '#kernel/context.ts';
import { fromJson } from '#kernel/parse-json.ts';
import type { HttpResponse } from '#kernel/services/http-client.ts';

/** A JRD is short. */
const MAX_BYTES = 65_536;
const MAX_LINKS = 100;
/** Milliseconds; a visitor waits. */
const DEADLINE = 6_000;

const SUBSCRIBE = 'http://ostatus.org/schema/1.0/subscribe';
const INTENT = 'https://w3id.org/fep/3b86/';

/** Where a visitor has an account. */
export interface Home {
  /** Undefined where only the server is named. */
  username: string | undefined;
  /** Lower case, ASCII; with the port if there is one. */
  host: string;
}

/** The kinds of templates, best first, with the name of their parameter: https://w3id.org/fep/3b86 */
const TEMPLATES: Record<Interaction, readonly (readonly [rel: string, parameter: string])[]> = {
  follow: [[`${INTENT}Follow`, 'object']],
  reply: [[`${INTENT}Create`, 'inReplyTo']],
  reblog: [[`${INTENT}Announce`, 'object']],
  favourite: [[`${INTENT}Like`, 'object']],
};
const ANY_KIND = [
  [`${INTENT}Object`, 'object'],
  [SUBSCRIBE, 'uri'],
] as const;

/** Parses `alice@far.example`, with a leading `@` or `acct:`, the address of a profile, or a domain. */
export function homeIn(text: string): Home | undefined {
  const given = text.trim();
  const handle = /^(?:acct:|@)?([^@\s/:]+)@([^@\s/?#\\]+)$/i.exec(given);
  if (handle) return homeAt(`https://${handle[2] ?? ''}`, handle[1]);
  const address = URL.parse(given);
  if (address && /^https?:$/.test(address.protocol)) {
    return homeAt(`https://${address.host}`, /^\/(?:@|users\/)([^/@]+)\/?$/.exec(address.pathname)?.[1]);
  }
  return /^[^@\s/?#\\]+\.[^@\s/?#\\]+$/.test(given) ? homeAt(`https://${given}`, undefined) : undefined;
}

function homeAt(origin: string, username: string | undefined): Home | undefined {
  const url = URL.parse(origin);
  if (!url || url.username !== '' || url.password !== '' || url.pathname !== '/') return undefined;
  const host = url.host.replace(/\.(?=$|:)/, '');
  return host === '' || host.length > 253 ? undefined : { username, host };
}

/**
 * Asks the visitor's server by WebFinger where its users act on something of another server. Returns the
 * address there for `uri`; undefined if the server does not answer, or names no such address with https.
 */
export async function addressAtHome(
  { services: { http }, instance }: Pick<RequestContext, 'services' | 'instance'>,
  { username, host }: Home,
  { uri, kind }: { uri: string; kind: Interaction },
): Promise<string | undefined> {
  const scheme = instance.origin.startsWith('http:') ? 'http' : 'https';
  // Mastodon has an account of the server itself.
  const resource = `acct:${username ?? host}@${host}`;
  const address = `${scheme}://${host}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`;
  const reply = await http
    .fetch(address, {
      headers: { accept: 'application/jrd+json, application/json' },
      accepts: (type) => /^application\/(?:jrd\+)?json(?:\s*;|$)/i.test(type),
      deadline: DEADLINE,
      maxBytes: MAX_BYTES,
      maxRedirects: 3,
    })
    .catch(() => undefined);
  if (reply?.status === 200) return templateIn(reply, { uri, kind });
  // A server that answers is asked at Mastodon's address, unless it does not have the named account.
  return reply && username === undefined
    ? `https://${host}/authorize_interaction?uri=${encodeURIComponent(uri)}`
    : undefined;
}

function templateIn(
  { body }: HttpResponse,
  { uri, kind }: { uri: string; kind: Interaction },
): string | undefined {
  const links = linksIn(body);
  for (const [rel, parameter] of [...TEMPLATES[kind], ...ANY_KIND]) {
    const template = links.find((link) => link['rel'] === rel)?.['template'];
    const filled = typeof template === 'string' && filledIn(template, parameter, uri);
    if (filled) return filled;
  }
  return undefined;
}

/** Fills a template; other parameters are optional. False unless the result is an address with https. */
function filledIn(template: string, parameter: string, uri: string): string | false {
  if (!template.includes(`{${parameter}}`)) return false;
  const text = template
    .replaceAll(`{${parameter}}`, encodeURIComponent(uri))
    .replaceAll(/\{[A-Za-z]+\}/g, '');
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.href;
}

function linksIn(body: Buffer): Record<string, unknown>[] {
  try {
    const document = fromJson(body.toString('utf8'));
    const links = isObject(document) ? document['links'] : undefined;
    return Array.isArray(links) ? links.slice(0, MAX_LINKS).filter(isObject) : [];
  } catch {
    return [];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
