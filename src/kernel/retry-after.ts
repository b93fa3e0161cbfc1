/**
 * How long a reply asks to wait (RFC 9110 section 10.2.3: seconds or a date), in milliseconds, at most `longest`; undefined where it
 * asks for nothing, or for nothing that makes sense.
 *
 * @param headers names in lower case
 * @param now milliseconds since 1970
 */
export function retryAfterIn(
  headers: Readonly<Record<string, string>>,
  { now, longest }: { now: number; longest: number },
): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return wait > 0 ? Math.min(wait, longest) : undefined;
}
