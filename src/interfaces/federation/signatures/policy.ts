import { cavageClaim } from './cavage.ts';
import { rfc9421Claim } from './rfc9421.ts';
import { only, type SignatureClaim, type SignedRequest } from './signed-request.ts';

const MAX_HEADER = 4_096;
/** Headers that must not be repeated: the signed one could be mistaken. */
const SINGLE = ['host', 'date', 'digest', 'content-digest', 'signature', 'signature-input'];

/**
 * Whether a signature may count at all, before any key is looked for. It must be one, well-formed, without anything twice, by RSA
 * with SHA-256, and cover method, target and host, the date (or the moment of signing), and of a body its digest. Verifying the
 * bytes comes after (`verifier.ts`).
 */
export function signatureClaim(request: SignedRequest): SignatureClaim | undefined {
  if (SINGLE.some((name) => (request.headers.get(name)?.length ?? 0) > 1)) return undefined;
  const signature = only(request, 'signature');
  const input = only(request, 'signature-input');
  if (signature === undefined || signature.length > MAX_HEADER) return undefined;
  if (input === undefined) return cavageClaim(signature, request);
  return input.length > MAX_HEADER ? undefined : rfc9421Claim(input, signature, request);
}
