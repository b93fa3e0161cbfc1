import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const DIGEST = /^SHA-256=([A-Za-z0-9+/]{43}=)$/i;
const CONTENT_DIGEST = /^\s*([a-z0-9*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*=*):\s*$/;
/** The algorithms of RFC 9530: https://www.rfc-editor.org/rfc/rfc9530#section-5 */
const ALGORITHMS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;

/**
 * Returns true if the body is the signed one: at least one of `Digest` (RFC 3230) and `Content-Digest` (RFC
 * 9530) is present, and each present one matches.
 */
export function digestMatches(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { digest, 'content-digest': contentDigest } = headers;
  if (digest === undefined && contentDigest === undefined) return false;
  return (
    (digest === undefined || isDigestOf(String(digest), body)) &&
    (contentDigest === undefined || isContentDigestOf(String(contentDigest), body))
  );
}

const isDigestOf = (text: string, body: Buffer): boolean =>
  DIGEST.exec(text)?.[1] === hash('sha256', body, 'base64');

function isContentDigestOf(text: string, body: Buffer): boolean {
  const entries = text.split(',', 10).map((entry) => CONTENT_DIGEST.exec(entry));
  if (entries.some((entry) => entry === null)) return false;
  const known = entries.flatMap((entry) => {
    const algorithm = ALGORITHMS[entry?.[1] as keyof typeof ALGORITHMS];
    return algorithm === undefined ? [] : [entry?.[2] === hash(algorithm, body, 'base64')];
  });
  return known.length > 0 && known.every(Boolean);
}
