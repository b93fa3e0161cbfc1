import { listedCode, listedName } from './languages.ts';

/** The runtime's names of ISO 639 codes. */
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * Returns the language of a tag (`en`, `en-US`, `zh-TW`) as on Mastodon's list, otherwise in its canonical
 * form; null for none or an unknown one. For posts, use `postLanguage`.
 */
export function languageCode(tag: string | null | undefined): string | null {
  if (!tag) return null;
  const listed = listedCode(tag);
  if (listed !== undefined) return listed;
  try {
    const locale = new Intl.Locale(tag.replaceAll('_', '-'));
    if (names.of(locale.language) === undefined) return null;
    return locale.baseName;
  } catch {
    return null;
  }
}

/** A longer tag names no real language. */
const MAX_TAG = 35;

/**
 * Returns the known language that a browser prefers, from `Accept-Language` (RFC 9110, 12.5.4); null for
 * none.
 */
export function preferredLanguage(header = ''): string | null {
  const wanted = header.split(',', 50).map((part) => {
    const [tag = '', ...parameters] = part.split(';', 5).map((text) => text.trim());
    const weight = parameters.map((text) => /^q=([01](?:\.\d{0,3})?)$/i.exec(text)?.[1]).find(Boolean);
    return { tag, weight: Number(weight ?? 1) };
  });
  return wanted
    .filter(({ tag, weight }) => weight > 0 && tag.length <= MAX_TAG)
    .sort((a, b) => b.weight - a.weight)
    .reduce<string | null>((found, { tag }) => found ?? languageCode(tag), null);
}

/** Returns the English name, or the code itself when the runtime knows none. */
export function languageName(code: string): string {
  const listed = listedName(code);
  if (listed !== undefined) return listed;
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
