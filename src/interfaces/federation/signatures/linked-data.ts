import { createPrivateKey, hash, sign } from 'node:crypto';
import { memoizeAsync } from '#kernel/memoize-async.ts';
import type { Activity } from '../outbox/outgoing.ts';

/** The vocabulary of the signature itself. */
const SECURITY = 'https://w3id.org/security/v1';
/** The vocabulary in which the members of a signature are hashed. */
const IDENTITY = 'https://w3id.org/identity/v1';
/** Milliseconds: one day more than a delivery lives. */
const VALID_FOR = 9 * 24 * 3_600_000;

/** The package has no types. */
interface JsonLd {
  canonize(document: object, options: { format: string; documentLoader: object }): Promise<string>;
}

/**
 * Fedify includes the contexts of signed documents: nothing is fetched, so no other server decides about the
 * meaning of a document.
 */
const loaded = memoizeAsync(async () => {
  const [jsonld, { preloadedContexts }] = await Promise.all([
    import('@fedify/vocab-runtime/jsonld') as Promise<{ default: JsonLd }>,
    import('@fedify/vocab-runtime'),
  ]);
  const documentLoader = (url: string) => {
    const document = preloadedContexts[url];
    if (document === undefined) throw new Error(`The context ${url} is not known`);
    return Promise.resolve({ contextUrl: null, documentUrl: url, document });
  };
  return async (document: object): Promise<string> =>
    hash(
      'sha256',
      await jsonld.default.canonize(document, { format: 'application/n-quads', documentLoader }),
    );
});

/** Returns the activity in a context that has the vocabulary of the signature. */
export function withSecurityContext(activity: Activity): Activity {
  const contexts = [activity['@context']].flat();
  return contexts.includes(SECURITY) ? activity : { ...activity, '@context': [...contexts, SECURITY] };
}

/**
 * Adds a signature of the type `RsaSignature2017` (https://docs.joinmastodon.org/spec/security/#ld). Each recipient
 * can show it to others, so only public activities have one. Mastodon 4.7 refuses it once it has expired.
 */
export async function withLinkedDataSignature(
  activity: Activity,
  { keyId, privateKey }: { keyId: string; privateKey: Buffer },
  now = Date.now(),
): Promise<Activity> {
  const digestOf = await loaded();
  const document = withSecurityContext(activity);
  const options = {
    '@context': IDENTITY,
    creator: keyId,
    created: new Date(now).toISOString(),
    expires: new Date(now + VALID_FOR).toISOString(),
  };
  const message = (await digestOf(options)) + (await digestOf(document));
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  const signatureValue = sign('sha256', Buffer.from(message), key).toString('base64');
  return { ...document, signature: { ...options, type: 'RsaSignature2017', signatureValue } };
}
