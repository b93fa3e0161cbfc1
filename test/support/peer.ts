import { generateKeyPairSync, sign, webcrypto } from 'node:crypto';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { signRequest } from '@fedify/fedify/sig';
import type { Request, Response } from 'express';
import { serve } from './serve.ts';

export const ACTIVITY_JSON = 'application/activity+json';
type Document = Record<string, unknown>;

/** Another server on loopback that serves the documents it is given. */
export interface Peer {
  origin: string;
  /** Includes the port; the domain of its handles. */
  host: string;
  /** The requested paths, with the headers of the requests. */
  asked: { path: string; headers: Request['headers'] }[];
  /** Serves a document or any other reply at a path. */
  put(path: string, answer: Document | ((req: Request, res: Response) => void), type?: string): string;
  /** Creates an actor with a key and a handle; `changes` override the defaults. @returns its URI */
  actor(name: string, changes?: Document): string;
  /** Creates a public note of an actor. @returns its URI */
  note(name: string, id: string, changes?: Document): string;
  /** Sets the WebFinger reply for a name. */
  finger(name: string, answer: Document): void;
  /** Returns the headers of a signed GET or POST by one of its actors to `origin`. */
  sign(name: string, url: string, options?: SignOptions): Promise<Record<string, string>>;
  /**
   * Returns a `Signature` header (draft-cavage-http-signatures-12) over exactly these lines, with these
   * parameters.
   */
  signText(name: string, lines: Record<string, string>, parameters?: readonly string[]): string;
  close(): Promise<void>;
}

export interface SignOptions {
  method?: string;
  spec?: 'rfc9421' | 'draft-cavage-http-signatures-12';
  keyId?: string;
  headers?: Record<string, string>;
  /** The body of a POST; its digest is signed. */
  body?: string;
  /** The date of the request. */
  at?: Date;
}

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
});
export const PUBLIC_KEY = pair.publicKey;

export async function startPeer(): Promise<Peer> {
  const answers = new Map<string, (req: Request, res: Response) => void>();
  const handles = new Map<string, Document>();
  const asked: Peer['asked'] = [];
  const { origin, port, close } = await serve((app) => {
    app.use((req, res) => {
      asked.push({ path: req.url, headers: req.headers });
      const { pathname, searchParams } = new URL(req.url, 'http://peer');
      if (pathname === '/.well-known/webfinger') {
        const name = /^acct:([^@]*)@/.exec(searchParams.get('resource') ?? '')?.[1] ?? '';
        const answer = handles.get(name);
        if (answer) res.type('application/jrd+json').send(JSON.stringify(answer));
        else res.status(404).end();
        return;
      }
      const answer = answers.get(pathname);
      if (answer) answer(req, res);
      else res.status(404).end();
    });
  });
  const host = `127.0.0.1:${port}`;
  const key = await webcrypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(pair.privateKey),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    true,
    ['sign'],
  );
  const peer: Peer = {
    origin,
    host,
    asked,
    close,
    put(path, answer, type = ACTIVITY_JSON) {
      answers.set(
        path,
        typeof answer === 'function'
          ? answer
          : (_req, res) => void res.set('Content-Type', type).send(Buffer.from(JSON.stringify(answer))),
      );
      return `${origin}${path}`;
    },
    actor(name, changes = {}) {
      const uri = `${origin}/users/${name}`;
      peer.finger(name, {
        subject: `acct:${name}@${host}`,
        links: [{ rel: 'self', type: ACTIVITY_JSON, href: uri }],
      });
      return peer.put(`/users/${name}`, {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: uri,
        type: 'Person',
        preferredUsername: name,
        inbox: `${uri}/inbox`,
        followers: `${uri}/followers`,
        featured: `${uri}/featured`,
        publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: PUBLIC_KEY },
        ...changes,
      });
    },
    note(name, id, changes = {}) {
      const uri = `${origin}/notes/${id}`;
      return peer.put(`/notes/${id}`, {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: uri,
        type: 'Note',
        attributedTo: `${origin}/users/${name}`,
        content: `<p>${id}</p>`,
        published: '2026-11-20T08:00:00Z',
        to: ['https://www.w3.org/ns/activitystreams#Public'],
        ...changes,
      });
    },
    finger: (name, answer) => void handles.set(name, answer),
    async sign(name, url, options = {}) {
      const { method = 'GET', spec = 'draft-cavage-http-signatures-12', keyId, headers = {}, at } = options;
      const { body } = options;
      const init = { method, headers: { accept: ACTIVITY_JSON, ...headers } };
      const request = new Request(url, body === undefined ? init : { ...init, body });
      const id = new URL(keyId ?? `${origin}/users/${name}#main-key`);
      const signed = await signRequest(request, key, id, {
        spec,
        ...(at ? { currentTime: instantOf(at) } : {}),
      });
      return Object.fromEntries(signed.headers);
    },
    signText(name, lines, parameters = []) {
      const text = Object.entries(lines).map(([header, value]) => `${header}: ${value}`);
      const key = { key: pair.privateKey, format: 'der', type: 'pkcs8' } as const;
      return [
        `keyId="${origin}/users/${name}#main-key"`,
        ...parameters,
        `headers="${Object.keys(lines).join(' ')}"`,
        `signature="${sign('sha256', Buffer.from(text.join('\n')), key).toString('base64')}"`,
      ].join(',');
    },
  };
  return peer;
}

/** The part of a `Temporal.Instant` that Fedify reads. */
const instantOf = (at: Date) =>
  ({ epochMilliseconds: at.getTime(), toString: () => at.toISOString() }) as never;

/**
 * Sends a request to a server on loopback under another host name, with exactly these headers; an array sends
 * the header once per value.
 */
export function ask(
  base: string | { url: string; from: string | undefined },
  path: string,
  headers: Record<string, string | string[]>,
  method = 'GET',
  body?: string | Buffer,
): Promise<{ status: number; body: string; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const { url, from: localAddress } = typeof base === 'string' ? { url: base, from: undefined } : base;
    const { hostname, port } = new URL(url);
    const list = Object.entries(headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((one) => [name, one]),
    );
    const sent = httpRequest(
      { hostname, port, path, method, localAddress, headers: list as never, setHost: false },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            headers: res.headers,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
