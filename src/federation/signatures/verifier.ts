import { createPublicKey, verify, webcrypto } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Signer } from '../../../queries/federation/index.ts';
import type { Instance } from '../../kernel/context.ts';
import { signatureClaim } from './policy.ts';
import type { SignatureClaim } from './signed-request.ts';
import type { RemoteKey, RemoteKeys } from './remote-keys.ts';

export interface VerifierOptions {
  keys: RemoteKeys;
  instance: Instance;
}

/** Who signed, and what his collections of followers and of pinned posts are called; null for none. */
export interface VerifiedSigner extends Signer, Pick<RemoteKey, 'followers' | 'featured'> {}

/** An RFC 9421 signature is good for this long before and after it was made. */
const TIME_WINDOW = { minutes: 30 };

/**
 * Whose signature requests carry: what must be covered, and whose key it is, is decided here. Of RFC 9421, Fedify checks the bytes; it
 * neither fetches nor interprets anything, and is loaded with the first such signature. Of the older draft it takes the target without
 * its query only, and asks for a `Date`, so that is checked here.
 */
export class SignatureVerifier {
  readonly #options: VerifierOptions;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** Undefined without a signature, and for one that does not hold: whoever cannot prove who he is, is a stranger. */
  async signerOf(req: IncomingMessage, body?: Buffer): Promise<VerifiedSigner | undefined> {
    const { keys, instance } = this.#options;
    if (req.headers.signature === undefined) return undefined;
    const headers = headersOf(req);
    const { host, origin } = new URL(instance.origin);
    // Else what was signed for another server would count here too.
    if (req.headers.host?.toLowerCase() !== host) return undefined;
    const { method = 'GET', url: target = '/' } = req;
    const claim = signatureClaim({ method, target, headers });
    if (!claim) return undefined;
    const request = (): Request =>
      new Request(`${origin}${target}`, {
        method,
        headers: [...headers].flatMap(([name, values]) =>
          values.map((value): [string, string] => [name, value]),
        ),
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      });
    const key = await keys.get(claim.keyId);
    if (!key) return undefined;
    if (await isSignedBy(request(), claim, key)) return signerOf(key);
    // Keys are changed now and then.
    const newer = await keys.get(claim.keyId, { fresh: true });
    if (!newer || newer.pem === key.pem) return undefined;
    return (await isSignedBy(request(), claim, newer)) ? signerOf(newer) : undefined;
  }
}

const signerOf = ({ owner, followers, featured }: RemoteKey): VerifiedSigner => ({
  uri: owner,
  host: new URL(owner).host,
  followers,
  featured,
});

async function isSignedBy(request: Request, claim: SignatureClaim, key: RemoteKey): Promise<boolean> {
  if (claim.spec === 'cavage') {
    return claim.texts.some((text) => verify('sha256', Buffer.from(text, 'latin1'), key.pem, claim.bytes));
  }
  return isSignedByRfc9421(request, key);
}

async function isSignedByRfc9421(request: Request, key: RemoteKey): Promise<boolean> {
  const [{ verifyRequest }, { CryptographicKey }] = await Promise.all([
    import('@fedify/fedify/sig'),
    import('@fedify/vocab'),
  ]);
  const der = createPublicKey(key.pem).export({ type: 'spki', format: 'der' });
  const publicKey = await webcrypto.subtle.importKey(
    'spki',
    new Uint8Array(der),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    true,
    ['verify'],
  );
  const known = new CryptographicKey({ id: new URL(key.id), owner: new URL(key.owner), publicKey });
  const nothing = (): Promise<never> => Promise.reject(new Error('Nothing is fetched while verifying'));
  try {
    const verified = await verifyRequest(request, {
      spec: 'rfc9421',
      timeWindow: TIME_WINDOW,
      keyCache: { get: () => Promise.resolve(known), set: () => Promise.resolve() },
      documentLoader: nothing,
      contextLoader: nothing,
    });
    return verified !== null;
  } catch {
    // Dates that are none, base64 that is none.
    return false;
  }
}

/** As they came: Node would drop or join what comes twice. */
function headersOf({ rawHeaders }: IncomingMessage): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1] ?? '']);
  }
  return headers;
}
