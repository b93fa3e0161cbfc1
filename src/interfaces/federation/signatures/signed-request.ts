/**
 * The parts of a request that its signature may cover. Names of headers are in lower case, each with all its
 * values.
 */
export interface SignedRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: ReadonlyMap<string, readonly string[]>;
}

/** The statements of a signature that is known to cover the required parts. */
export type SignatureClaim = {
  keyId: string;
  /** The signature, decoded: the header may spell the same one in several ways. */
  bytes: Buffer;
  /** The names of covered headers, among other components. */
  covered: readonly string[];
  /** The algorithm that it names, if any. */
  algorithm: string | undefined;
} & (
  | { spec: 'rfc9421' }
  | {
      spec: 'cavage';
      /** The candidate texts that it may cover, in Latin-1, like headers. */
      texts: readonly string[];
    }
);

/** Returns the value of a header that occurs once; otherwise undefined. */
export const only = ({ headers }: SignedRequest, name: string): string | undefined => headers.get(name)?.[0];
export const hasBody = ({ method }: SignedRequest): boolean => method !== 'GET' && method !== 'HEAD';

/**
 * Returns parameters by name; undefined for a repeated or unknown one, because these let a header be read in
 * two ways (CVE-2026-28432).
 */
export function parametersOf(
  pairs: Iterable<readonly [name: string, value: string]>,
  known: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!known.includes(name) || parameters.has(name)) return undefined;
    parameters.set(name, value);
  }
  return parameters;
}

/** Returns true if no name is repeated, and all required ones are covered. */
export const coversOnce = (names: readonly string[], needed: readonly string[]): boolean =>
  new Set(names).size === names.length && needed.every((name) => names.includes(name));
