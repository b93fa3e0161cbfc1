import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** The signer: the id of a key and its private key. */
export interface SigningKey {
  keyId: string;
  /** PKCS#8: PEM, or DER. */
  privateKey: string | Buffer;
}

/** The scheme of a signature: the draft that all servers understand, or RFC 9421. */
export type SignatureScheme = 'draft' | 'rfc9421';

/**
 * Adds a signature to the headers of a request, by default of the draft; with a body it is a POST, without
 * one a GET.
 */
export type RequestSigner = (
  url: URL,
  headers: Record<string, string>,
  body?: string,
  scheme?: SignatureScheme,
) => Promise<Record<string, string>>;

/** Returns a function that signs requests with a key. */
export function requestSigner({ keyId, privateKey }: SigningKey): RequestSigner {
  let key: KeyObject | undefined;
  return (url, headers, body, scheme = 'draft') => {
    const signing = { keyId, key: (key ??= read(privateKey)) };
    return (scheme === 'draft' ? signedByDraft : signedByRfc9421)(signing, url, headers, body);
  };
}

type Sign = (
  signing: { keyId: string; key: KeyObject },
  ...request: Parameters<RequestSigner>
) => Promise<Record<string, string>>;

/**
 * The draft (draft-cavage-http-signatures-12, RSA with SHA-256) covers method, path with its query, host,
 * date, content type and digest. https://docs.joinmastodon.org/spec/security/#http-sign
 */
const signedByDraft: Sign = async ({ keyId, key }, url, headers, body) => {
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    date: new Date().toUTCString(),
    ...(body === undefined ? {} : { digest: `SHA-256=${digestOf(body)}` }),
  };
  const target = `${methodOf(body).toLowerCase()} ${url.pathname}${url.search}`;
  const lines = [['(request-target)', target], ...Object.entries(signed)];
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
  const names = lines.map(([name]) => name).join(' ');
  const signature = await signatureOf(key, text);
  return {
    ...signed,
    signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
  };
};

/** Further headers that the signature covers, if a request has them. */
const COVERED = ['collection-synchronization'];

/** https://www.rfc-editor.org/rfc/rfc9421: covers method, address, digest, and `COVERED`. */
const signedByRfc9421: Sign = async ({ keyId, key }, url, headers, body) => {
  const target = new URL(url);
  target.hash = '';
  const digest = body === undefined ? {} : { 'content-digest': `sha-256=:${digestOf(body)}:` };
  const covered = Object.entries({
    '@method': methodOf(body),
    '@target-uri': target.href,
    '@authority': url.host,
    ...digest,
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => COVERED.includes(name))),
  });
  const created = Math.floor(Date.now() / 1_000);
  const names = covered.map(([name]) => `"${name}"`).join(' ');
  const parameters = `(${names});created=${created};keyid="${keyId}";alg="rsa-v1_5-sha256"`;
  const lines = [...covered, ['@signature-params', parameters]];
  const text = lines.map(([name, value]) => `"${name}": ${value}`).join('\n');
  const signature = await signatureOf(key, text);
  return {
    ...headers,
    ...digest,
    host: url.host,
    date: new Date().toUTCString(),
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature}:`,
  };
};

const methodOf = (body: string | undefined): string => (body === undefined ? 'GET' : 'POST');

const digestOf = (body: string): string => createHash('sha256').update(body).digest('base64');

const read = (key: string | Buffer): KeyObject =>
  createPrivateKey(typeof key === 'string' ? key : { key, format: 'der', type: 'pkcs8' });

/** Base64. Runs outside of the event loop, because it takes about a millisecond. */
const signatureOf = (key: KeyObject, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text), key, (error, signature) => {
      if (error) reject(error);
      else resolve(signature.toString('base64'));
    });
  });
