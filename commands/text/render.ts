import { escapeHtml } from '#mastodon/html.ts';
import type { TextEntity } from './entities.ts';
import { findEntities } from './entities.ts';
import { handleKey } from './extract.ts';
import { shownPartsOf } from './shown-link.ts';

/** A mentioned account: `acct` is `alice` or `alice@example.org`, `url` its profile page. */
export interface MentionTarget {
  acct: string;
  username: string;
  url: string;
}

export interface RenderOptions {
  /** `https://` and host of this server's web pages, without a trailing slash. */
  origin: string;
  /** Resolved mentions by `handleKey`; others stay plain text. */
  mentions: ReadonlyMap<string, MentionTarget>;
  /** The `rel` of links. */
  rel: string;
  /** Mentions show the domain too. */
  withDomains?: boolean;
}

/**
 * Replaces halves of surrogate pairs by U+FFFD and line ends by LF, and removes NUL, which Postgres cannot
 * store.
 */
export const cleanText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '');

/** Removes surrounding ASCII blanks: as in Mastodon, other white space is part of a text. */
export function trimText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
const BLANK = /[\0\t\n\v\f\r ]/;

/**
 * Returns HTML in one line: links, mentions and hashtags with Mastodon's markup, everything else escaped.
 * Expects clean text.
 */
export function renderInline(text: string, options: RenderOptions): string {
  const ambiguous = ambiguousUsernames(options.mentions);
  const parts: string[] = [];
  let position = 0;
  for (const entity of findEntities(text)) {
    parts.push(escapeHtml(text.slice(position, entity.start)));
    parts.push(renderEntity(text, entity, options, ambiguous));
    position = entity.end;
  }
  parts.push(escapeHtml(text.slice(position)));
  return parts.join('');
}

/**
 * Returns the same HTML in paragraphs: empty lines separate them, other line ends become `<br />`. An empty
 * text gives an empty string.
 */
export function renderParagraphs(text: string, options: RenderOptions): string {
  const html = renderInline(trimText(text), options);
  if (html === '') return '';
  // Entities contain no line feed, so this cannot cut the markup.
  return html
    .split(/\n\n+/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

function renderEntity(
  text: string,
  entity: TextEntity,
  options: RenderOptions,
  ambiguous: ReadonlySet<string>,
): string {
  switch (entity.kind) {
    case 'url':
      return renderLink(entity.url, options.rel);
    case 'hashtag':
      return renderHashtag(entity.name, options.origin);
    case 'mention': {
      const target = options.mentions.get(handleKey(entity));
      if (!target || !isWebUrl(target.url)) return escapeHtml(text.slice(entity.start, entity.end));
      const full = options.withDomains === true || ambiguous.has(target.username.toLowerCase());
      return renderMention(target, full ? target.acct : target.username);
    }
  }
}

/**
 * https://docs.joinmastodon.org/api/guidelines/#links: the scheme and the rest after 30 characters are
 * hidden, not lost.
 */
export function renderLink(url: string, rel: string): string {
  const { before, shown, after } = shownPartsOf(url);
  return (
    `<a href="${escapeHtml(url)}" target="_blank" rel="${rel}" translate="no">` +
    `<span class="invisible">${escapeHtml(before)}</span>` +
    `<span class="${after ? 'ellipsis' : ''}">${escapeHtml(shown)}</span>` +
    `<span class="invisible">${escapeHtml(after)}</span></a>`
  );
}

function renderHashtag(name: string, origin: string): string {
  const href = `${origin}/tags/${encodeURIComponent(name)}`;
  return `<a href="${escapeHtml(href)}" class="mention hashtag" rel="tag">#<span>${escapeHtml(name)}</span></a>`;
}

function renderMention(target: MentionTarget, shown: string): string {
  return (
    `<span class="h-card" translate="no"><a href="${escapeHtml(new URL(target.url).href)}" class="u-url mention">` +
    `@<span>${escapeHtml(shown)}</span></a></span>`
  );
}

/** Returns the usernames that two different mentioned accounts share: these are shown with the domain. */
function ambiguousUsernames(mentions: RenderOptions['mentions']): Set<string> {
  const acctOf = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { acct, username } of mentions.values()) {
    const name = username.toLowerCase();
    const other = acctOf.get(name);
    if (other !== undefined && other !== acct.toLowerCase()) ambiguous.add(name);
    acctOf.set(name, acct.toLowerCase());
  }
  return ambiguous;
}

const isWebUrl = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '');
