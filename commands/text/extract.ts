import { canonicalDomain } from '#mastodon/domain-name.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { findEntities, findHashtags, findUnreadHandles } from './entities.ts';

/** An account in the spelling of a text: `@username` (domain null) or `@username@domain`. */
export interface MentionedHandle {
  username: string;
  domain: string | null;
}

/**
 * Returns the key by which a mentioned account is looked up and rendered: `alice`, `alice@example.org`; lower
 * case, the domain in ASCII.
 */
export const handleKey = ({ username, domain }: MentionedHandle): string =>
  (domain === null ? username : `${username}@${canonicalDomain(domain) ?? domain}`).toLowerCase();

/** Returns the accounts that a text names, each once, in order: those that its HTML links. */
export function extractMentions(text: string): MentionedHandle[] {
  const found = new Map<string, MentionedHandle>();
  for (const entity of findEntities(text)) {
    if (entity.kind !== 'mention') continue;
    const handle = { username: entity.username, domain: entity.domain };
    const key = handleKey(handle);
    if (!found.has(key)) found.set(key, handle);
  }
  return [...found.values()];
}

/** The maximum of characters of a handle in a message. */
const MAX_SHOWN = 100;

/** Returns what looks like `@user@host` in a text and names no account, as written, each once. */
export const extractUnreadHandles = (text: string): string[] => [
  ...new Set(
    findUnreadHandles(text).map(({ start, end }) => text.slice(start, Math.min(end, start + MAX_SHOWN))),
  ),
];

/**
 * Returns the hashtags of a text in their first spelling, without `#`, each once (by `normalizeTag`), in
 * order. As in Mastodon, some become no links: see `findHashtags`.
 */
export function extractHashtags(text: string): string[] {
  const found = new Map<string, string>();
  for (const { name } of findHashtags(text)) {
    const key = normalizeTag(name);
    if (!found.has(key)) found.set(key, name);
  }
  return [...found.values()];
}

/** Returns the links of a text as written, each once, in order. */
export function extractLinks(text: string): string[] {
  return [...new Set(findEntities(text).flatMap((entity) => (entity.kind === 'url' ? [entity.url] : [])))];
}
