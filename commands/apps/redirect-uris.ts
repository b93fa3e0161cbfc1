/** Schemes that run or show content in the browser itself instead of handing over to an app. */
const FORBIDDEN_SCHEMES = new Set(['javascript', 'data', 'vbscript', 'blob', 'file', 'about']);

/**
 * Why an address cannot be a redirect URI (RFC 6749 section 3.1.2); undefined when it can. Schemes of native apps are
 * welcome (RFC 8252 section 7.1).
 */
export function redirectUriProblem(uri: string): string | undefined {
  // Also bounds what reaches the Location header: visible ASCII.
  const [, scheme] = /^([a-z][a-z0-9+.-]+):[\x21-\x7e]+$/i.exec(uri) ?? [];
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI.';
  if (uri.includes('#')) return 'cannot contain a fragment.';
  if (FORBIDDEN_SCHEMES.has(scheme.toLowerCase())) return 'is forbidden by the server.';
  return undefined;
}
