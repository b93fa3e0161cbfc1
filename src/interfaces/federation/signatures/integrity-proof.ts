import { hash, type KeyObject, sign, verify } from 'node:crypto';
import jcs from 'canonicalize';
import { DATA_INTEGRITY } from '../documents/contexts.ts';
import type { Activity } from '../outbox/outgoing.ts';
import { type Foreign, isObject, listOf } from '../remote/json.ts';
import { type AssertionKeyType, base58Of, multibaseBytes } from './multikey.ts';

/** RFC 8785. The types of the package describe an ES module, but it is none. */
const canonical = jcs as unknown as (value: unknown) => string;

/** The accepted suites, each with the kind of its keys, and the length of its signatures in bytes. */
const SUITES: ReadonlyMap<unknown, { type: AssertionKeyType; length: number }> = new Map([
  ['eddsa-jcs-2022', { type: 'ed25519', length: 64 }],
  ['mldsa44-jcs-2024', { type: 'ml-dsa-44', length: 2_420 }],
]);
/** Characters: a signature of ML-DSA-44 in base64url. Base 58 takes quadratic time, so only short ones are read. */
const MAX_SIGNATURE = 3_300;
const MAX_BASE58 = 100;
/** Proofs of one document that are looked at. */
const MAX_PROOFS = 4;
const MAX_URI = 2_048;

/** The statements of a proof, before any key is looked up. */
export interface ProofClaim {
  keyId: string;
  type: AssertionKeyType;
  /** Milliseconds since 1970; NaN when it is not said. */
  created: number;
  bytes: Buffer;
  /** The candidate messages that it may sign. */
  messages: readonly Buffer[];
}

/**
 * Adds a proof by an Ed25519 key: https://w3id.org/fep/8b32,
 * https://www.w3.org/TR/vc-di-eddsa/#eddsa-jcs-2022. Such a proof stays valid as long as the key, and every
 * recipient can show it to others, so only public activities have one. It has no `expires`: Fedify leaves that out of the hash.
 */
export function withIntegrityProof(
  activity: Activity,
  { keyId, privateKey }: { keyId: string; privateKey: KeyObject },
  now = new Date(),
): Activity {
  const document = { ...activity, '@context': [...listOf(activity['@context'], 20), DATA_INTEGRITY] };
  const options = {
    '@context': document['@context'],
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: keyId,
    proofPurpose: 'assertionMethod',
    // Others parse and print it again, without empty fractions.
    created: now.toISOString().replace(/\.\d+Z$/, 'Z'),
  };
  const proofValue = base58Of(sign(null, messageOf(options, document), privateKey));
  return { ...document, proof: { ...options, proofValue } };
}

/**
 * Returns the claim of the first acceptable proof of a document; undefined without one. A document may also have a
 * Linked Data signature, which is no part of what is proven.
 */
export function proofClaim(document: Foreign, now = Date.now()): ProofClaim | undefined {
  const { proof, signature: _, ...unsecured } = document;
  for (const one of listOf(proof, MAX_PROOFS)) {
    const claim = isObject(one) ? claimOf(one, unsecured, now) : undefined;
    if (claim) return claim;
  }
  return undefined;
}

/** Returns the bytes of the first proof of a document, which nothing has verified. */
export function proofBytesIn({ proof }: Foreign): Buffer | undefined {
  const [first] = listOf(proof, 1);
  return isObject(first) ? signatureIn(first['proofValue']) : undefined;
}

const signatureIn = (value: unknown): Buffer | undefined =>
  multibaseBytes(value, typeof value === 'string' && value.startsWith('z') ? MAX_BASE58 : MAX_SIGNATURE);

function claimOf(
  { proofValue, ...options }: Foreign,
  unsecured: Foreign,
  now: number,
): ProofClaim | undefined {
  const { verificationMethod: keyId, created, expires } = options;
  const suite = SUITES.get(options['cryptosuite']);
  const isSound =
    options['type'] === 'DataIntegrityProof' &&
    options['proofPurpose'] === 'assertionMethod' &&
    (expires === undefined || timeOf(expires) > now);
  if (!suite || !isSound || typeof keyId !== 'string' || keyId.length > MAX_URI) return undefined;
  const bytes = signatureIn(proofValue);
  const messages = messagesOf(options, unsecured, suite.type);
  if (bytes?.length !== suite.length || messages.length === 0) return undefined;
  return { keyId, type: suite.type, created: timeOf(created), bytes, messages };
}

/** Returns true if the key made the proof. The caller has checked that it is of the claimed type. */
export const isProvenBy = ({ messages, bytes }: ProofClaim, pem: string): boolean =>
  messages.some((message) => verify(null, message, pem, bytes));

/**
 * A proof of EdDSA may name the context that the document began with: further ones may have been added since.
 * Without one, some servers hash the proof as it is, Fedify with the context of the document. ML-DSA always takes
 * that one: https://www.w3.org/TR/vc-di-quantum-resistant-1.0/
 */
function messagesOf(options: Foreign, unsecured: Foreign, type: AssertionKeyType): Buffer[] {
  const [ofProof, ofDocument] = [options['@context'], unsecured['@context']];
  const withContext = (context: unknown): Buffer => messageOf({ ...options, '@context': context }, unsecured);
  if (type === 'ml-dsa-44') return [withContext(ofDocument)];
  if (ofProof === undefined) return [messageOf(options, unsecured), withContext(ofDocument)];
  if (!beginsWith(ofDocument, ofProof)) return [];
  return [messageOf(options, { ...unsecured, '@context': ofProof })];
}

function beginsWith(whole: unknown, part: unknown): boolean {
  if (canonical(whole) === canonical(part)) return true;
  if (!Array.isArray(whole) || !Array.isArray(part)) return false;
  return canonical(whole.slice(0, part.length)) === canonical(part);
}

const messageOf = (options: Foreign, document: Foreign): Buffer =>
  Buffer.concat([options, document].map((value) => hash('sha256', canonical(value), 'buffer')));

/** Milliseconds since 1970; NaN for anything but a time. */
const timeOf = (value: unknown): number =>
  typeof value === 'string' && value.length <= 40 ? Date.parse(value) : NaN;
