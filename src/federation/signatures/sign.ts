import { createPrivateKey, webcrypto } from 'node:crypto';

/** Who signs: the id of a key and its private part. */
export interface SigningKey {
  keyId: string;
  /** PKCS#8, PEM. */
  privateKey: string;
}

/**
 * Signs GET requests as most servers understand it (draft-cavage-http-signatures-12), by Fedify, which is loaded with the first.
 * @returns what adds the signature, its date and host to the headers of a request
 */
export function requestSigner({ keyId, privateKey }: SigningKey) {
  let imported: Promise<webcrypto.CryptoKey> | undefined;
  return async (url: URL, headers: Record<string, string>): Promise<Record<string, string>> => {
    const [{ signRequest }, key] = await Promise.all([
      import('@fedify/fedify/sig'),
      (imported ??= importKey(privateKey)),
    ]);
    const signed = await signRequest(new Request(url, { headers }), key, new URL(keyId));
    return Object.fromEntries(signed.headers);
  };
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(der),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    true,
    ['sign'],
  );
}
