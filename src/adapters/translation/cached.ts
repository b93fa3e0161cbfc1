import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Translated, Translator } from '#kernel/services/translator.ts';

/** Milliseconds for which a translation is cached, as in Mastodon. */
const TRANSLATIONS_LIVE = 24 * 60 * 60 * 1_000;
const LANGUAGES_LIVE = 60 * 60 * 1_000;
/** The maximum characters of all cached translations. */
const MAX_CHARACTERS = 8_000_000;

interface Request {
  texts: readonly string[];
  source: string | null;
  target: string;
}

/**
 * Caches translations. Concurrent callers of the same translation share one request; failures are not cached.
 */
export function cached(translator: Translator): Translator {
  const translations = new LRUCache<string, Translated, Request>({
    max: 10_000,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ texts }) => texts.reduce((sum, text) => sum + text.length, 100),
    ttl: TRANSLATIONS_LIVE,
    fetchMethod: (_key, _stale, { context: { texts, source, target } }) =>
      translator.translate(texts, source, target),
  });
  const languages = new LRUCache<'all', ReadonlyMap<string, readonly string[]>>({
    max: 1,
    ttl: LANGUAGES_LIVE,
    fetchMethod: () => translator.languages(),
  });
  return {
    provider: translator.provider,
    languages: () => languages.forceFetch('all'),
    translate: (texts, source, target) =>
      translations.forceFetch(digest([source, target, ...texts]), { context: { texts, source, target } }),
  };
}

const digest = (values: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url');
