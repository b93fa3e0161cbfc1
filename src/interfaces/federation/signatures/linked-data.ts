import { webcrypto } from 'node:crypto';
import { memoizeAsync } from '../../../kernel/memoize-async.ts';
import type { Activity } from '../activities/outgoing.ts';

/** The vocabulary of the signature itself. */
const SECURITY = 'https://w3id.org/security/v1';

/**
 * Fedify includes the contexts of signed documents: nothing is fetched, so no other server decides about the
 * meaning of a document.
 */
const loaded = memoizeAsync(async () => {
  const [{ signJsonLd }, { preloadedContexts }] = await Promise.all([
    import('@fedify/fedify/sig'),
    import('@fedify/fedify/runtime'),
  ]);
  const contextLoader = (url: string) => {
    const document = preloadedContexts[url];
    if (document === undefined) throw new Error(`The context ${url} is not known`);
    return Promise.resolve({ contextUrl: null, documentUrl: url, document });
  };
  return { signJsonLd, contextLoader };
});

/** Returns the activity in a context that has the vocabulary of the signature. */
export function withSecurityContext(activity: Activity): Activity {
  const contexts = [activity['@context']].flat();
  return contexts.includes(SECURITY) ? activity : { ...activity, '@context': [...contexts, SECURITY] };
}

/**
 * Adds a signature of the type `RsaSignature2017` (https://docs.joinmastodon.org/spec/security/#ld). Such a
 * signature stays valid forever, so only public activities have one.
 */
export async function withLinkedDataSignature(
  activity: Activity,
  { keyId, privateKey }: { keyId: string; privateKey: Buffer },
): Promise<Activity> {
  const { signJsonLd, contextLoader } = await loaded();
  const key = await webcrypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(privateKey),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    true,
    ['sign'],
  );
  const document = withSecurityContext(activity);
  const { signature } = await signJsonLd(document, key, new URL(keyId), { contextLoader });
  return { ...document, signature };
}
