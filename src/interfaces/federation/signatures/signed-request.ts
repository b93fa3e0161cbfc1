/** A request as far as its signature is concerned. Names of headers are in lower case, each with all its values. */
export interface SignedRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: ReadonlyMap<string, readonly string[]>;
}

/** A signature's statements about itself, once it is known to cover the required parts. */
export type SignatureClaim = {
  keyId: string;
  /** The signature, decoded: the header may spell the same one in several ways. */
  bytes: Buffer;
  /** The names of headers that it covers, among other things. */
  covered: readonly string[];
} & (
  | { spec: 'rfc9421' }
  | {
      spec: 'cavage';
      /** The candidate texts that it may cover, in Latin-1, like headers. */
      texts: readonly string[];
    }
);

/** A header that comes once, or not at all. */
export const only = ({ headers }: SignedRequest, name: string): string | undefined => headers.get(name)?.[0];
export const hasBody = ({ method }: SignedRequest): boolean => method !== 'GET' && method !== 'HEAD';

/** Parameters by name; undefined when one comes twice or is not among those that are known: duplicates and unknown names are how one header is read in two ways (CVE-2026-28432). */
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

/** Whether no name comes twice, and all that must be covered is. */
export const coversOnce = (names: readonly string[], needed: readonly string[]): boolean =>
  new Set(names).size === names.length && needed.every((name) => names.includes(name));
