import sanitizeHtml from 'sanitize-html';
import { readableWithout } from './foreign-markup.ts';
import { showHosts } from './shown-link.ts';

/** Longer HTML is cut before parsing. UTF-16 units. */
const MAX_REMOTE_HTML_LENGTH = 100_000;

/**
 * Reduces HTML of other servers to what clients may rely on: the elements, attributes, classes and link
 * schemes of https://docs.joinmastodon.org/spec/activitypub/#sanitization. Headings become bold paragraphs;
 * links of other schemes become text. The result is well-formed and safe to show in a page.
 */
export function sanitizeRemoteHtml(html: string): string {
  const cut = html.slice(0, MAX_REMOTE_HTML_LENGTH).toWellFormed().replace(CONTROLS, '');
  const clean = sanitizeHtml(readableWithout(cut), OPTIONS).trimEnd();
  // Text is escaped by now, so these are tags that the sanitizer wrote.
  return showHosts(clean.replace(HEADING, '<p$1><strong>').replaceAll('</h1>', '</strong></p>'));
}

const HEADING = /<h1( lang="[^">]*")?>/g;
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;
const NOT_IN_HREF = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;
const SCHEMES = 'http https dat dweb ipfs ipns ssb gopher xmpp magnet gemini'.split(' ');
/** A link for servers without quotes, which clients hide: https://docs.joinmastodon.org/client/quotes/ */
const QUOTE_FALLBACK = 'quote-inline';
const MICROFORMATS = ['h-*', 'p-*', 'u-*', 'dt-*', 'e-*'];
const CLASSES = [...MICROFORMATS, 'mention', 'hashtag', 'ellipsis', 'invisible', QUOTE_FALLBACK];
/** The form of https://www.rfc-editor.org/rfc/rfc5646. */
const LANGUAGE_TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,8}$/i;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: 'p span br a del s pre code em strong b i u ul ol li blockquote ruby rt rp h1'.split(' '),
  allowedAttributes: {
    '*': ['lang'],
    a: ['href', 'rel', 'target', 'translate'],
    span: ['translate'],
    ol: ['start', 'reversed'],
    li: ['value'],
  },
  allowedClasses: { a: CLASSES, span: CLASSES, p: CLASSES },
  allowedSchemes: SCHEMES,
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 64,
  transformTags: {
    '*': (tagName, attributes) => ({ tagName, attribs: keepLanguage(attributes) }),
    ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map((heading) => [heading, 'h1'])),
    a: (tagName, attributes) => ({ tagName, attribs: linkAttributes(attributes) }),
    span: (tagName, attributes) => ({ tagName, attribs: keepTranslate(attributes) }),
    ol: (tagName, attributes) => ({ tagName, attribs: keepIntegers(attributes, 'start') }),
    li: (tagName, attributes) => ({ tagName, attribs: keepIntegers(attributes, 'value') }),
  },
  exclusiveFilter: (frame) =>
    frame.tag === 'a' && frame.attribs['href'] === undefined ? 'excludeTag' : false,
};

function linkAttributes(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const { href, ...others } = keepTranslate(attributes);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href ?? '')?.[1]?.toLowerCase();
  if (href === undefined || NOT_IN_HREF.test(href) || !scheme || !SCHEMES.includes(scheme)) return {};
  const tag = /(?:^|\s)tag(?:\s|$)/i.test(attributes['rel'] ?? '') ? 'tag ' : '';
  return { ...others, href, rel: `${tag}nofollow noopener`, target: '_blank' };
}

/** Removes an invalid language, so that nothing else gets into a page. */
function keepLanguage(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const { lang, ...others } = attributes;
  return lang !== undefined && LANGUAGE_TAG.test(lang) ? { ...others, lang } : others;
}

/** Servers mark names with `translate="no"`; any other value is removed. */
function keepTranslate(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const { translate, ...others } = attributes;
  return translate === 'no' ? { ...others, translate } : others;
}

function keepIntegers(attributes: sanitizeHtml.Attributes, name: string): sanitizeHtml.Attributes {
  const { [name]: value, ...others } = attributes;
  return value !== undefined && /^-?\d{1,9}$/.test(value) ? { ...others, [name]: value } : others;
}
