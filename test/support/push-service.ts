import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';

/** A certificate of 127.0.0.1, made for these tests only; valid until 2120. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnEym+KE/gFBB9JUB
t9w+xJLw0sPL3ih0veDXNRulqq6hRANCAAT6LQK3xLmAGaF2in+E1800J4VTjFrW
e33xkLz9Tr/LridDGM4R7YEZidLYVBL7cGH6lyHg7tqR86E3mzusiYL8
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBezCCASKgAwIBAgIBATAKBggqhkjOPQQDAjAkMSIwIAYDVQQDDBlwdXNoIHNl
cnZpY2Ugb2YgdGhlIHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAw
MDAwWjAkMSIwIAYDVQQDDBlwdXNoIHNlcnZpY2Ugb2YgdGhlIHRlc3RzMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAE+i0Ct8S5gBmhdop/hNfNNCeFU4xa1nt98ZC8
/U6/y64nQxjOEe2BGYnS2FQS+3Bh+pch4O7akfOhN5s7rImC/KNDMEEwDwYDVR0R
BAgwBocEfwAAATAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQ16ZWSGl84Xc8k
bW04FsmsxJFprDAKBggqhkjOPQQDAgNHADBEAiAfetAllpynV3V6NQA/Nhh7GTdB
o59Yiz4waJzcQMuabAIgZk1S/8God4nywD6j51q3WWOjh/kXMk9aLOupFLnJj14=
-----END CERTIFICATE-----`;

/** A received message. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A push service on loopback, over HTTPS like real ones. */
export interface PushService {
  /** The endpoint of a subscription. */
  url(name: string): string;
  received: Received[];
  /** The statuses of replies, or functions that return them, by endpoint name; the default is 201. */
  answers: Map<string, number | ((res: ServerResponse) => void)>;
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  setDefaultCACertificates([...getCACertificates('default'), CERTIFICATE]);
  const received: Received[] = [];
  const answers: PushService['answers'] = new Map();
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (req, res) => {
    void buffer(req).then((body) => {
      const path = (req.url ?? '').slice(1);
      received.push({ path, headers: req.headers, body });
      const answer = answers.get(path) ?? 201;
      if (typeof answer === 'number') res.writeHead(answer).end();
      else answer(res);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `https://127.0.0.1:${port}/${name}`,
    received,
    answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The library that the server encrypts with can also decrypt; it has no types. */
const ece = createRequire(import.meta.url)('http_ece') as {
  decrypt(body: Buffer, parameters: Record<string, unknown>): Buffer;
};

/** An app on a device, with its keys and the decrypted messages. */
export function pushReceiver() {
  const pair = createECDH('prime256v1');
  const keys = {
    p256dh: pair.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  return {
    keys,
    /** Verifies the sender of a message and decrypts it. `serverKey` comes from the subscription. */
    read({ headers, body }: Received, serverKey: string): Record<string, unknown> {
      const standard = headers['content-encoding'] === 'aes128gcm';
      const authorization = headers.authorization ?? '';
      const [, token = '', key = ''] = standard
        ? (/^vapid t=(\S+), k=(\S+)$/.exec(authorization) ?? [])
        : [
            '',
            /^WebPush (\S+)$/.exec(authorization)?.[1],
            /p256ecdsa=([^;]+)/.exec(String(headers['crypto-key']))?.[1],
          ];
      expect(key).to.equal(serverKey);
      checkSignature(token, serverKey, headers.host ?? '');
      const text = ece.decrypt(body, {
        version: headers['content-encoding'],
        privateKey: pair,
        authSecret: keys.auth,
        ...(standard
          ? {}
          : {
              salt: /salt=([^;]+)/.exec(String(headers['encryption']))?.[1],
              dh: /dh=([^;]+)/.exec(String(headers['crypto-key']))?.[1],
            }),
      });
      return JSON.parse(text.toString()) as Record<string, unknown>;
    },
  };
}

/** RFC 8292: an ES256 token for this push service, with an expiry. */
function checkSignature(token: string, serverKey: string, host: string): void {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(serverKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const signed = Buffer.from(`${header}.${claims}`);
  const parameters = { key, dsaEncoding: 'ieee-p1363' as const };
  expect(verify('sha256', signed, parameters, Buffer.from(signature, 'base64url'))).to.equal(true);
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  expect(aud).to.equal(`https://${host}`);
  expect(Number(exp) - Date.now() / 1_000).to.be.within(0, 86_400);
  expect(sub).to.match(/^(https:|mailto:)/);
}
