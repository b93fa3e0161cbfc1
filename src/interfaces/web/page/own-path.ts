/** The maximum length of an authorization request. */
const MAX_LENGTH = 16_000;
const HERE = 'https://here.invalid';

/**
 * Returns a local path, with its query, for a redirect; undefined for text that browsers might read as
 * another server's address (GHSA-xqw8-4j56-5hj6): `//`, `\`, control characters, and any of them encoded,
 * once or twice.
 */
export function ownPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH || !/^\/[\x21-\x7e]*$/.test(text)) return undefined;
  const [path = ''] = text.split(/[?#]/, 1);
  if (/\/\/|\\|%(?:2f|5c|25|[01][0-9a-f]|7f)/i.test(path) || text.includes('\\')) return undefined;
  const url = URL.parse(text, HERE);
  // `/..//x` resolves to `//x`, in browsers too.
  if (url?.origin !== HERE || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}`;
}
