import { cavageClaim } from './cavage.ts';
import { rfc9421Claim } from './rfc9421.ts';
import { only, type SignatureClaim, type SignedRequest } from './signed-request.ts';

const MAX_HEADER = 4_096;
/** Headers that must not be repeated: another one than the signed one could be used. */
const SINGLE = ['host', 'date', 'digest', 'content-digest', 'signature', 'signature-input'];

/**
 * Returns the claim of an acceptable signature, before any key is looked up. It must be a single, well-formed
 * one, without repeated parts, use RSA with SHA-256 or Ed25519, and cover method, target and host, the date (or the time
 * of signing), and the digest of a body. `verifier.ts` verifies the bytes afterwards.
 */
export function signatureClaim(request: SignedRequest): SignatureClaim | undefined {
  if (SINGLE.some((name) => (request.headers.get(name)?.length ?? 0) > 1)) return undefined;
  const signature = only(request, 'signature');
  const input = only(request, 'signature-input');
  if (signature === undefined || signature.length > MAX_HEADER) return undefined;
  if (input === undefined) return cavageClaim(signature, request);
  return input.length > MAX_HEADER ? undefined : rfc9421Claim(input, signature, request);
}
