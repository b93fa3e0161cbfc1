import { domainToUnicode } from 'node:url';
import { registrableDomain } from './registrable-domain.ts';

const SHOWN_OF_URL = 30;

/**
 * Returns the registrable domain of a web address, in ASCII: `evil.example` for `https://a.evil.example/`;
 * otherwise its host.
 */
function domainBehind(url: string): string | undefined {
  const host = URL.parse(url)?.hostname;
  return host === undefined ? undefined : registrableDomain(host, { ofUsers: true });
}

/**
 * Cuts an address into the part before the shown one, the shown part and the rest, as Mastodon does: without
 * `http://`, `https://` and `www.` in lower case, 30 characters, or 31 if that is all. Mastodon's cut may
 * hide the registrable domain of a long host; here the shown part then begins with it.
 */
export function shownPartsOf(url: string): { before: string; shown: string; after: string } {
  const usual = /^(?:https?:\/\/(?:www\.)?|xmpp:)/.exec(url)?.[0].length ?? 0;
  const [, scheme = '', authority = ''] = /^(https?:\/\/)([^/?#\\]*)/i.exec(url) ?? [];
  const userEnd = authority.lastIndexOf('@') + 1;
  const host = authority.slice(userEnd).replace(/:\d*$/, '');
  const hostEnd = scheme.length + userEnd + host.length;
  const fits = userEnd === 0 && Array.from(url.slice(usual, hostEnd)).length <= SHOWN_OF_URL;
  const labels = fits ? 0 : (domainBehind(url)?.split('.').length ?? Infinity);
  const start = fits ? usual : hostEnd - host.split('.').slice(-labels).join('.').length;
  const rest = Array.from(url.slice(start));
  const shown = rest.length === SHOWN_OF_URL + 1 ? rest : rest.slice(0, SHOWN_OF_URL);
  const end = Math.max(start + shown.join('').length, hostEnd);
  return { before: url.slice(0, start), shown: url.slice(start, end), after: url.slice(end) };
}

const LINK = /<a (?:[^>]* )?href="([^"]*)"[^>]*>([^]*?)<\/a>/g;
const TOKEN = /<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g;

/**
 * Shows the hidden parts of links that hide their registrable domain. Expects HTML of the sanitizer:
 * well-formed, with escaped attributes.
 */
export const showHosts = (html: string): string =>
  !html.includes('invisible')
    ? html
    : html.replace(LINK, (link, href: string, inner: string) =>
        inner.includes('invisible') && !shows(inner, href)
          ? link.replace(inner, () => inner.replace(/<span class="[^"]*\binvisible\b[^"]*"/g, '<span'))
          : link,
      );

function shows(inner: string, href: string): boolean {
  const domain = domainBehind(href.replaceAll('&amp;', '&'));
  if (domain === undefined) return false;
  const [authority = ''] = visibleText(inner)
    .trim()
    .replace(/^https?:\/\//i, '')
    .split(/[/?#\\]/);
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
  return [domain, domainToUnicode(domain)].some((name) => host === name || host.endsWith(`.${name}`));
}

function visibleText(html: string): string {
  const hidden: boolean[] = [];
  let text = '';
  for (const [token, closes, name, attributes = ''] of html.matchAll(TOKEN)) {
    if (name === undefined) text += hidden.at(-1) ? '' : token;
    else if (closes) hidden.pop();
    else if (name !== 'br') hidden.push(hidden.at(-1) === true || /\binvisible\b/.test(attributes));
  }
  return text;
}
