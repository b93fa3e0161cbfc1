/** Schemes that run or show content in the browser itself instead of opening an app. */
const FORBIDDEN_SCHEMES = new Set(['javascript', 'data', 'vbscript', 'blob', 'file', 'about']);

/**
 * Returns why an address cannot be a redirect URI (RFC 6749 section 3.1.2); undefined when it can. Schemes of
 * native apps are accepted (RFC 8252 section 7.1).
 */
export function redirectUriProblem(uri: string): string | undefined {
  // Also bounds the content of the Location header: visible ASCII.
  const [, scheme] = /^([a-z][a-z0-9+.-]+):[\x21-\x7e]+$/i.exec(uri) ?? [];
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI.';
  if (uri.includes('#')) return 'cannot contain a fragment.';
  if (FORBIDDEN_SCHEMES.has(scheme.toLowerCase())) return 'is forbidden by the server.';
  return undefined;
}
