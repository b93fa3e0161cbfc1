/** Returns undefined for malformed JSON, which a schema then reports. */
export function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
