import { isTimely } from './moment.ts';
import {
  coversOnce,
  hasBody,
  parametersOf,
  type SignatureClaim,
  type SignedRequest,
} from './signed-request.ts';

const INPUT =
  /^([a-z*][a-z0-9_\-.*]*)=\(((?:"[a-z@][a-z0-9-]*"(?: |(?=\))))*)\)((?:;[a-z]+=(?:"[^"\\]*"|[0-9]+))*)$/;
const SIGNATURE = /^([a-z*][a-z0-9_\-.*]*)=:([A-Za-z0-9+/]+=*):$/;
const PARAMETER = /;([a-z]+)=(?:"([^"\\]*)"|([0-9]+))/g;
const NAMES = ['alg', 'keyid', 'created', 'expires', 'nonce', 'tag'];
const ALGORITHMS = ['rsa-v1_5-sha256', 'ed25519', undefined];

/** Parses a signature of RFC 9421: a single one, whose components have no parameters. */
export function rfc9421Claim(
  input: string,
  signature: string,
  request: SignedRequest,
): SignatureClaim | undefined {
  const [, label, inner = '', rest = ''] = INPUT.exec(input) ?? [];
  const bytes = label === undefined ? undefined : bytesOf(signature, label);
  if (bytes === undefined) return undefined;
  const pairs = [...rest.matchAll(PARAMETER)].map(
    ([, name = '', text, number]) => [name, text ?? number ?? ''] as const,
  );
  const parameters = parametersOf(pairs, NAMES);
  const keyId = parameters?.get('keyid');
  if (!parameters || keyId === undefined || !isOfNow(parameters)) return undefined;
  const components = inner.split(' ').map((part) => part.slice(1, -1));
  const needed = ['@method', ...(hasBody(request) ? ['content-digest'] : [])];
  const algorithm = parameters.get('alg');
  const isSound =
    ALGORITHMS.includes(algorithm) && coversOnce(components, needed) && coversTarget(components, request);
  return isSound ? { keyId, spec: 'rfc9421', covered: components, bytes, algorithm } : undefined;
}

/** Returns the bytes of the signature; undefined when it has another label. */
function bytesOf(signature: string, label: string): Buffer | undefined {
  const [, name, bytes = ''] = SIGNATURE.exec(signature) ?? [];
  return name === label ? Buffer.from(bytes, 'base64') : undefined;
}

/** Both in seconds since 1970. */
function isOfNow(parameters: ReadonlyMap<string, string>): boolean {
  const [created, expires] = [parameters.get('created'), parameters.get('expires')];
  const isOver = expires !== undefined && Number(expires) * 1_000 < Date.now();
  return !isOver && created !== undefined && isTimely(Number(created) * 1_000);
}

/** Returns true if it covers the server, the path, and the query if there is one. */
function coversTarget(components: readonly string[], { target }: SignedRequest): boolean {
  if (components.includes('@target-uri')) return true;
  const place = ['@path', ...(target.includes('?') ? ['@query'] : [])];
  return (
    place.every((name) => components.includes(name)) &&
    (components.includes('@authority') || components.includes('host'))
  );
}
