/** As long as an authorization request may be. */
const MAX_LENGTH = 16_000;
const HERE = 'https://here.invalid';

/**
 * A path of this server, with its query, to lead a browser to; undefined for what browsers might read as an address of another one
 * (GHSA-xqw8-4j56-5hj6): `//`, `\`, controls, and any of them encoded, once or twice.
 */
export function ownPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH || !/^\/[\x21-\x7e]*$/.test(text)) return undefined;
  const [path = ''] = text.split(/[?#]/, 1);
  if (/\/\/|\\|%(?:2f|5c|25|[01][0-9a-f]|7f)/i.test(path) || text.includes('\\')) return undefined;
  const url = URL.parse(text, HERE);
  // `/..//x` is `//x` once it is resolved; browsers resolve it too.
  if (url?.origin !== HERE || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}`;
}
