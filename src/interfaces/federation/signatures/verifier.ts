import { createPublicKey, verify, webcrypto } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Instance } from '#kernel/context.ts';
import type { Signer } from '#queries/federation/index.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { isProvenBy, type ProofClaim } from './integrity-proof.ts';
import type { KeyType } from './multikey.ts';
import { signatureClaim } from './policy.ts';
import type { RemoteKey, RemoteKeys } from './remote-keys.ts';
import type { SignatureClaim, SignedRequest } from './signed-request.ts';

export interface VerifierOptions {
  keys: Pick<RemoteKeys, 'get' | 'has' | 'announced'>;
  instance: Instance;
  /** Called with the host of each valid signature. */
  onSigner: (host: string) => void;
}

/** The signer, and the URIs of the signer's collections of followers and of pinned posts; null for none. */
export interface VerifiedSigner
  extends Signer, Pick<RemoteKey, 'followers' | 'featured' | 'username' | 'pem'> {}

/** Runs a request to another server; the caller may release a scarce resource during it. */
export type Asking = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * Verifies the signatures of requests: required coverage and ownership of the key are decided here. For RFC
 * 9421, Fedify checks the bytes; it neither fetches nor interprets anything, and is loaded with the first
 * such signature. For the older draft it only accepts the target without its query, and requires a `Date`, so
 * that is checked here.
 */
export class SignatureVerifier {
  readonly #options: VerifierOptions;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /**
   * Returns the claim in the headers; undefined for an unacceptable signature. Fetches no key and reads no
   * body.
   */
  claimOf(req: IncomingMessage): SignatureClaim | undefined {
    const request = this.#signedRequest(req);
    return request && signatureClaim(request);
  }

  /** Returns true if the key of a claim is cached, so that no request is needed. */
  hasKey({ keyId }: SignatureClaim): boolean {
    return this.#options.keys.has(keyId);
  }

  /** Fetches the keys of an actor again before their next use if it announced others. */
  announced(remote: RemoteDocument): void {
    this.#options.keys.announced(remote);
  }

  /** Fetches the key of a claim, unless it is known. Returns false when it cannot be fetched. */
  async prepare({ keyId }: SignatureClaim): Promise<boolean> {
    return (await this.#options.keys.get(keyId)) !== undefined;
  }

  /** Returns the verified signer; undefined without a valid signature: an unproven sender is a stranger. */
  async signerOf(
    req: IncomingMessage,
    body?: Buffer,
    asking: Asking = (ask) => ask(),
  ): Promise<VerifiedSigner | undefined> {
    const { onSigner } = this.#options;
    const request = this.#signedRequest(req);
    const claim = request && signatureClaim(request);
    if (!claim) return undefined;
    const signing = await this.#keyFor(claim, (key) => isSignedBy(request, body, claim, key), asking);
    const signer = signing && signerOf(signing);
    if (signer) onSigner(signer.host);
    return signer;
  }

  /**
   * Returns the actor of a document if a key proves it that the actor names in `assertionMethod`, and that is of
   * the kind that the proof is for.
   */
  async proverOf(actor: string, claim: ProofClaim, asking: Asking): Promise<VerifiedSigner | undefined> {
    if (URL.parse(claim.keyId)?.origin !== new URL(actor).origin) return undefined;
    const isBy = ({ owner, asserts, type, pem }: RemoteKey): Promise<boolean> =>
      Promise.resolve(owner === actor && asserts && type === claim.type && isProvenBy(claim, pem));
    const key = await this.#keyFor(claim, isBy, asking);
    return key && signerOf(key);
  }

  /** Returns the key with an id if it made the signature. */
  async #keyFor(
    { keyId }: Pick<SignatureClaim, 'keyId'>,
    isBy: (key: RemoteKey) => Promise<boolean>,
    asking: Asking,
  ): Promise<RemoteKey | undefined> {
    const { keys } = this.#options;
    const find = (options = {}): ReturnType<RemoteKeys['get']> => keys.get(keyId, options);
    const key = await (keys.has(keyId) ? find() : asking(find));
    if (!key || (await isBy(key))) return key;
    // The key may have changed.
    const newer = await asking(() => find({ fresh: true }));
    return newer && newer.pem !== key.pem && (await isBy(newer)) ? newer : undefined;
  }

  /** Returns undefined for a request to another server, whose signature would be valid here too. */
  #signedRequest(req: IncomingMessage): (SignedRequest & { url: string }) | undefined {
    if (req.headers.signature === undefined) return undefined;
    const { host, origin } = new URL(this.#options.instance.origin);
    const target = targetOf(req.url ?? '/', host);
    if (target === undefined || req.headers.host?.toLowerCase() !== host) return undefined;
    return { method: req.method ?? 'GET', target, headers: headersOf(req), url: `${origin}${target}` };
  }
}

/**
 * Returns path and query of a request target. One in absolute form names a server, which must be this one.
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
function targetOf(target: string, host: string): string | undefined {
  if (target.startsWith('/')) return target;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)([/?].*)?$/i.exec(target) ?? [];
  if (authority?.toLowerCase() !== host) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const signerOf = ({ owner, followers, featured, username, pem }: RemoteKey): VerifiedSigner => ({
  uri: owner,
  host: new URL(owner).host,
  followers,
  featured,
  username,
  pem,
});

/** The kinds of keys that sign requests, each with the algorithms that a signature by it may name. */
const SIGNING: Readonly<Partial<Record<KeyType, SigningKind>>> = {
  rsa: {
    digest: 'sha256',
    webcrypto: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    algorithms: [undefined, 'hs2019', 'rsa-sha256', 'rsa-v1_5-sha256'],
  },
  ed25519: { digest: null, webcrypto: { name: 'Ed25519' }, algorithms: [undefined, 'hs2019', 'ed25519'] },
};

interface SigningKind {
  digest: string | null;
  webcrypto: { name: string; hash?: string };
  algorithms: readonly (string | undefined)[];
}

async function isSignedBy(
  request: SignedRequest & { url: string },
  body: Buffer | undefined,
  claim: SignatureClaim,
  key: RemoteKey,
): Promise<boolean> {
  const kind = SIGNING[key.type];
  if (!kind?.algorithms.includes(claim.algorithm)) return false;
  if (claim.spec === 'cavage') {
    return claim.texts.some((text) => verify(kind.digest, Buffer.from(text, 'latin1'), key.pem, claim.bytes));
  }
  const { method, url, headers } = request;
  const list = [...headers].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const content = body === undefined ? {} : { body: new Uint8Array(body) };
  const signed = new Request(url, { method, headers: list, ...content });
  return isSignedByRfc9421(signed, key, kind);
}

async function isSignedByRfc9421(
  request: Request,
  key: RemoteKey,
  { webcrypto: algorithm }: SigningKind,
): Promise<boolean> {
  const [{ verifyRequest }, { CryptographicKey }] = await Promise.all([
    import('@fedify/fedify/sig'),
    import('@fedify/vocab'),
  ]);
  const der = createPublicKey(key.pem).export({ type: 'spki', format: 'der' });
  const publicKey = await webcrypto.subtle.importKey('spki', new Uint8Array(der), algorithm, true, [
    'verify',
  ]);
  const known = new CryptographicKey({ id: new URL(key.id), owner: new URL(key.owner), publicKey });
  const nothing = (): Promise<never> => Promise.reject(new Error('Nothing is fetched while verifying'));
  try {
    const verified = await verifyRequest(request, {
      spec: 'rfc9421',
      // `created` is checked before any key is looked up.
      timeWindow: false,
      keyCache: { get: () => Promise.resolve(known), set: () => Promise.resolve() },
      documentLoader: nothing,
      contextLoader: nothing,
    });
    return verified !== null;
  } catch {
    // For invalid dates and invalid base64.
    return false;
  }
}

/** From the raw headers: Node would drop or join repeated ones. */
function headersOf({ rawHeaders }: IncomingMessage): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1] ?? '']);
  }
  return headers;
}
