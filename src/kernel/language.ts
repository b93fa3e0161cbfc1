/** The ISO 639 codes that the runtime knows a name for; built once per code asked for. */
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * The language of a tag that clients send (`en`, `en-US`, `zh-TW`), in its canonical form; null for none or an
 * unknown one, as Mastodon does.
 */
export function languageCode(tag: string | null | undefined): string | null {
  if (!tag) return null;
  try {
    const locale = new Intl.Locale(tag.replaceAll('_', '-'));
    if (names.of(locale.language) === undefined) return null;
    return locale.baseName;
  } catch {
    return null;
  }
}
