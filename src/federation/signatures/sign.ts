import { createHash, createPrivateKey, sign, type KeyObject } from 'node:crypto';

/** Who signs: the id of a key and its private part. */
export interface SigningKey {
  keyId: string;
  /** PKCS#8: PEM, or DER. */
  privateKey: string | Buffer;
}

/** Adds to the headers of a request what signs it; with a body it is a POST, without one a GET. */
export type RequestSigner = (
  url: URL,
  headers: Record<string, string>,
  body?: string,
) => Promise<Record<string, string>>;

/**
 * Signs requests as all servers understand it (draft-cavage-http-signatures-12, RSA with SHA-256): method, path with its query, host,
 * date, what is sent and its digest. https://docs.joinmastodon.org/spec/security/#http-sign
 */
export function requestSigner({ keyId, privateKey }: SigningKey): RequestSigner {
  let key: KeyObject | undefined;
  return async (url, headers, body) => {
    const signed: Record<string, string> = {
      ...headers,
      host: url.host,
      date: new Date().toUTCString(),
      ...(body === undefined ? {} : { digest: `SHA-256=${digestOf(body)}` }),
    };
    const target = `${body === undefined ? 'get' : 'post'} ${url.pathname}${url.search}`;
    const lines = [['(request-target)', target], ...Object.entries(signed)];
    const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
    const names = lines.map(([name]) => name).join(' ');
    const signature = await signatureOf((key ??= read(privateKey)), text);
    return {
      ...signed,
      signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
    };
  };
}

const digestOf = (body: string): string => createHash('sha256').update(body).digest('base64');

const read = (key: string | Buffer): KeyObject =>
  createPrivateKey(typeof key === 'string' ? key : { key, format: 'der', type: 'pkcs8' });

/** Base64. Beside the event loop, for it takes about a millisecond. */
const signatureOf = (key: KeyObject, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text), key, (error, signature) => {
      if (error) reject(error);
      else resolve(signature.toString('base64'));
    });
  });
