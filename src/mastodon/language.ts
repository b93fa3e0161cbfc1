import { listedCode, listedName } from './languages.ts';

/** The ISO 639 codes that the runtime knows a name for; built once per code asked for. */
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * The language of a tag (`en`, `en-US`, `zh-TW`), as Mastodon's list has it, else in its canonical form; null for none or an
 * unknown one. That of a post here is `postLanguage`.
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

/** Longer ones are no language that people have. */
const MAX_TAG = 35;

/** The language that a browser prefers among those that are known, of `Accept-Language` (RFC 9110, 12.5.4); null for none. */
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

/** Its English name; the code itself where the runtime knows none. */
export function languageName(code: string): string {
  const listed = listedName(code);
  if (listed !== undefined) return listed;
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
