import { isTimely } from './moment.ts';
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
const ALGORITHMS = ['rsa-sha256', 'ed25519', 'hs2019', undefined];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** A digest with an algorithm that is secure. */
const DIGEST = /^SHA-256=[A-Za-z0-9+/]{43}=$/i;
const SECONDS = /^[0-9]{1,11}$/;

/**
 * Parses a signature of https://datatracker.ietf.org/doc/html/draft-cavage-http-signatures-12. `hs2019` means what
 * the key is for: RSA with SHA-256, or Ed25519. Its time is in `date` or `(created)`.
 */
export function cavageClaim(header: string, request: SignedRequest): SignatureClaim | undefined {
  const parameters = parametersIn(header);
  const keyId = parameters?.get('keyId');
  const signature = parameters?.get('signature') ?? '';
  if (!parameters || keyId === undefined || !BASE64.test(signature)) return undefined;
  const names = parameters.get('headers')?.split(' ') ?? [];
  const isSound = coversEnough(names, request) && isOfNow(names, parameters, request);
  const texts = isSound ? textsOf(names, parameters, request) : undefined;
  const algorithm = parameters.get('algorithm');
  const bytes = Buffer.from(signature, 'base64');
  return texts && { spec: 'cavage', keyId, texts, covered: names, bytes, algorithm };
}

function parametersIn(header: string): ReadonlyMap<string, string> | undefined {
  if (!HEADER.test(header)) return undefined;
  const pairs = [...header.matchAll(PARAMETER)].map(
    ([, name = '', text, number]) => [name, text ?? number ?? ''] as const,
  );
  const parameters = parametersOf(pairs, NAMES);
  return ALGORITHMS.includes(parameters?.get('algorithm')) ? parameters : undefined;
}

function coversEnough(names: readonly string[], request: SignedRequest): boolean {
  const moment = names.includes('(created)') ? '(created)' : 'date';
  const needed = ['(request-target)', 'host', moment];
  if (!hasBody(request)) return coversOnce(names, needed);
  return coversOnce(names, [...needed, 'digest']) && DIGEST.test(only(request, 'digest') ?? '');
}

/** Returns true if all its times include now. */
function isOfNow(
  names: readonly string[],
  parameters: ReadonlyMap<string, string>,
  request: SignedRequest,
): boolean {
  const [created, expires] = [parameters.get('created'), parameters.get('expires')];
  // Section 2.3: algorithms with a name of their own are older than these parameters.
  const isNamed = parameters.get('algorithm') === 'rsa-sha256';
  if (isNamed && (names.includes('(created)') || names.includes('(expires)'))) return false;
  return (
    (!names.includes('date') || isTimely(Date.parse(only(request, 'date') ?? ''))) &&
    (created === undefined || (SECONDS.test(created) && isTimely(Number(created) * 1_000))) &&
    (expires === undefined || (SECONDS.test(expires) && Number(expires) * 1_000 >= Date.now()))
  );
}

/**
 * Returns the texts that may have been signed; undefined when a covered part is missing. Some servers omit
 * the query, like older versions of Mastodon: they still cover the host, the path and themselves, and no
 * query changes the effect of an inbox.
 */
function textsOf(
  names: readonly string[],
  parameters: ReadonlyMap<string, string>,
  request: SignedRequest,
): string[] | undefined {
  const [path = ''] = request.target.split('?', 1);
  const targets = [...new Set([request.target, path])];
  const valueOf = (name: string, target: string): string | undefined => {
    if (name === '(request-target)') return `${request.method.toLowerCase()} ${target}`;
    const parameter = /^\((created|expires)\)$/.exec(name)?.[1];
    return parameter === undefined ? only(request, name) : parameters.get(parameter);
  };
  if (names.some((name) => valueOf(name, path) === undefined)) return undefined;
  return targets.map((target) => names.map((name) => `${name}: ${valueOf(name, target) ?? ''}`).join('\n'));
}
