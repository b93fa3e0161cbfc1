/**
 * Ready JSON: what is the same for every reader is printed once, by the projection, and stored as text without the outer
 * braces. Where it names a host that a setting decides, a control character stands for it: JSON texts hold none of their
 * own, since JSON.stringify escapes them all. `queries/entities/ready-json.ts` fills them in.
 */
export const MEDIA_ORIGIN = '\u0001';
export const ORIGIN = '\u0002';

/** The members of an object, without its braces. */
export const members = (object: Record<string, unknown>): string => JSON.stringify(object).slice(1, -1);

/** A JSON string: a URL below one of the origins. */
export const urlBelow = (origin: typeof MEDIA_ORIGIN | typeof ORIGIN, path: string): string =>
  `"${origin}${JSON.stringify(path).slice(1)}`;
