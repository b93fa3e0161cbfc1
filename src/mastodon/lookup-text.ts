/** UTF-16 units; a longer text names nothing. */
const MAX_LENGTH = 2_048;
/** Control characters and lone surrogates, which Postgres rejects. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

/** Returns typed text that may name an account or a post, trimmed; undefined for any other text. */
export function lookupText(typed: string): string | undefined {
  const text = typed.trim();
  return text === '' || text.length > MAX_LENGTH || NO_TEXT.test(text) ? undefined : text;
}

/** Returns the host of an address, a URI or a handle, with its port; undefined for other text. */
export function hostOfReference(text: string): string | undefined {
  const [, host] = /^(?:acct:)?[^\s/:@]+@([^\s/?#@\\]+)$/i.exec(text) ?? [];
  const parsed = URL.parse(host === undefined ? text : `https://${host}`)?.host;
  return parsed === '' ? undefined : parsed;
}
