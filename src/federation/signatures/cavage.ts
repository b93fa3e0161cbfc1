import {
  coversOnce,
  hasBody,
  only,
  parametersOf,
  type SignatureClaim,
  type SignedRequest,
} from './signed-request.ts';

const HEADER = /^(?:\s*[A-Za-z]+=(?:"[^",]*"|[0-9]+)\s*(?:,(?!\s*$)|$))+$/;
const PARAMETER = /([A-Za-z]+)=(?:"([^"]*)"|([0-9]+))/g;
const NAMES = ['keyId', 'algorithm', 'headers', 'signature', 'created', 'expires'];
const ALGORITHMS = ['rsa-sha256', 'hs2019', undefined];
/** Of a body, a digest that nobody can forge. */
const DIGEST = /^SHA-256=[A-Za-z0-9+/]{43}=$/i;

/** https://datatracker.ietf.org/doc/html/draft-cavage-http-signatures-12 */
export function cavageClaim(header: string, request: SignedRequest): SignatureClaim | undefined {
  if (!HEADER.test(header)) return undefined;
  const pairs = [...header.matchAll(PARAMETER)].map(
    ([, name = '', text, number]) => [name, text ?? number ?? ''] as const,
  );
  const parameters = parametersOf(pairs, NAMES);
  const keyId = parameters?.get('keyId');
  if (!parameters?.get('signature') || keyId === undefined) return undefined;
  const names = parameters.get('headers')?.split(' ') ?? [];
  const needed = ['(request-target)', 'host', 'date', ...(hasBody(request) ? ['digest'] : [])];
  const isThere = (name: string): boolean => name.startsWith('(') || only(request, name) !== undefined;
  const isSound =
    ALGORITHMS.includes(parameters.get('algorithm')) &&
    coversOnce(names, needed) &&
    names.every(isThere) &&
    (!hasBody(request) || DIGEST.test(only(request, 'digest') ?? ''));
  return isSound ? { keyId, spec: 'draft-cavage-http-signatures-12' } : undefined;
}
