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

/** Its English name; the code itself where the runtime knows none. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * The languages of ISO 639-1 that the runtime knows, with their English names, and those of three letters that Mastodon offers
 * besides.
 */
export function knownLanguages(): { code: string; name: string }[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return [...codes, ...THREE_LETTERS].flatMap((code) => {
    const name = names.of(code);
    // An old code stands for another one (`iw` for `he`).
    return name === undefined || new Intl.Locale(code).language !== code ? [] : [{ code, name }];
  });
}

const THREE_LETTERS = 'ast chr ckb csb gsw jbo kab lfn mus nds sco smj szl tok vai xal zgh'.split(' ');
