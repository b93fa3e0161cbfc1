import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageLinks, Reply } from '#kernel/endpoint.ts';
import { bytesIn } from '#kernel/json-pieces.ts';
import { revalidated } from './entity-tag.ts';
import { errorReply } from './errors.ts';

/** On every API reply: readable by web clients of any origin (as in Mastodon), and cached nowhere. */
export const COMMON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Retry-After, Deprecation, Mastodon-Async-Refresh, Rookery-Outdated',
} as const;

/** For replies without pages. */
const NO_LINKS: LinkTarget = { origin: '', parameters: [] };

/** Sends a reply with its `Link` header and the headers collected so far. */
export function sendReply(
  req: IncomingMessage,
  res: ServerResponse,
  reply: Reply,
  headers: Record<string, string>,
  target: LinkTarget = NO_LINKS,
): void {
  const link = reply.page ? linkHeader(reply.page, target, req.url ?? '/') : undefined;
  const text = 'text' in reply ? reply.text : JSON.stringify(reply.json);
  const body = typeof text === 'string' ? text : bytesIn((size) => Buffer.allocUnsafe(size), text);
  const status = reply.status ?? 200;
  const all = { ...COMMON_HEADERS, ...headers, ...reply.headers, ...(link ? { Link: link } : {}) };
  const cached = revalidated(res, status, { headers: all, content: body });
  if (cached?.isKnown) {
    res.writeHead(304, { ...all, ETag: cached.tag }).end();
    return;
  }
  res.writeHead(status, {
    ...all,
    ...(cached && { ETag: cached.tag }),
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Sends an error in Mastodon's form, with the headers collected so far. */
export function sendFailure(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  gathered: Record<string, string> = {},
): void {
  const { status, body, headers } = errorReply(error);
  sendReply(req, res, { json: body, status, headers }, gathered);
}

/** Nearly all paths have this form, and need no normalization. */
const PLAIN_PATH = /^\/[\w/-]+$/;
const PLACE = new Set(['max_id', 'since_id', 'min_id', 'offset']);

/** The target of the links of a list. */
export interface LinkTarget {
  origin: string;
  /** The parameters of the list; links contain no others. */
  parameters: readonly string[];
}

/** Returns RFC 8288 links like Mastodon's: `next` leads to older items, `prev` to newer ones. */
export function linkHeader(page: PageLinks, target: LinkTarget, requestUrl: string): string | undefined {
  const plain = PLAIN_PATH.test(requestUrl);
  const url = plain ? undefined : new URL(pathIn(requestUrl), target.origin);
  const kept = url ? keptPairs(url.searchParams, target.parameters) : [];
  const address = target.origin + (url?.pathname ?? requestUrl);
  const links = (['next', 'prev'] as const).flatMap((relation) => {
    const place = page[relation];
    if (!place) return [];
    const pairs = [...kept, ...Object.entries(place)].map((pair) => new URLSearchParams([pair]).toString());
    return [`<${address}?${pairs.sort().join('&')}>; rel="${relation}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}

/** A request line may contain a whole URL (RFC 9112 section 3.2.2) with an impossible host. */
const pathIn = (requestUrl: string): string => requestUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');

/** Returns the parameters besides those of paging: `types[]` belongs to the parameter `types`. */
const keptPairs = (asked: URLSearchParams, parameters: readonly string[]): [string, string][] =>
  [...asked].filter(([name]) => {
    const [base = ''] = name.split('[', 1);
    return parameters.includes(base) && !PLACE.has(base);
  });

/** Names of headers, as a preflight lists them. */
const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+){0,50}$/;

/** Replies to a CORS preflight: web clients may send any headers, as in Mastodon. */
export function sendPreflight(res: ServerResponse): void {
  const asked = res.req.headers['access-control-request-headers'] ?? '';
  res.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST, PUT, DELETE, GET, PATCH, OPTIONS',
    'Access-Control-Allow-Headers': HEADER_NAMES.test(asked)
      ? asked
      : 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
    'Access-Control-Max-Age': '7200',
  });
  res.end();
}
