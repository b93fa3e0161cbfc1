/**
 * Parses JSON as `JSON.parse` does, but ignores a byte order mark, with which some software begins its documents. @throws SyntaxError
 */
export const fromJson = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''));

/** Returns undefined for malformed JSON, which a schema then reports. */
export function parseOrNothing(text: string): unknown {
  try {
    return fromJson(text);
  } catch {
    return undefined;
  }
}
