import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Returns a weak entity tag (RFC 9110, 8.8.3): compression changes the bytes, and not the tag. */
const entityTag = (content: string | Uint8Array): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/**
 * Returns the tag of content that caches may keep, and whether the client has this content already: then the reply is
 * 304 without it (RFC 9110, 13.1.2). Undefined for content that no cache may keep.
 */
export function revalidated(
  { req }: Pick<ServerResponse, 'req'>,
  status: number,
  { headers, content }: { headers: OutgoingHttpHeaders; content: string | Uint8Array },
): { tag: string; isKnown: boolean } | undefined {
  const caching = headers['Cache-Control'];
  if (status !== 200 || typeof caching !== 'string' || !caching.startsWith('public')) return undefined;
  const tag = entityTag(content);
  const known = req.headers['if-none-match']?.split(',').map((each) => each.trim()) ?? [];
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return { tag, isKnown: isRead && (known.includes(tag) || known.includes('*')) };
}
