import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHttpClient, type OpenHttpClient } from '#adapters/outbound-http/http-client.ts';
import { RemoteDocuments } from '#interfaces/federation/remote/documents.ts';
import { RemoteKeys } from '#interfaces/federation/signatures/remote-keys.ts';
import { patience } from '../support/deadlines.ts';
import { HERE } from '../support/inbox.ts';
import { ACTIVITY_JSON, type Peer, PUBLIC_KEY, startPeer } from '../support/peer.ts';

describe('Keys of remote actors', function () {
  this.timeout(10_000);
  let peer: Peer;
  let slow: Peer;
  let http: OpenHttpClient;
  let documents: RemoteDocuments;

  before(async () => {
    [peer, slow] = await Promise.all([startPeer(), startPeer()]);
    http = createHttpClient({ allowedPrivateAddresses: ['127.0.0.0/8'], userAgent: 'Rookery/test' });
    documents = new RemoteDocuments({
      http,
      instance: {
        domain: 'rookery.example',
        origin: HERE,
        mediaOrigin: HERE,
        vapidPublicKey: '',
        software: { name: '', version: '' },
        version: '',
        sourceUrl: '',
        limitedFederation: false,
        emojis: { json: () => undefined, revision: 0, listed: () => '[]' },
      },
      allows: () => Promise.resolve(true),
      sign: (_url, headers) => Promise.resolve(headers),
    });
    for (let n = 0; n < 64; n += 1) slow.put(`/users/${n}`, () => undefined);
  });
  after(async () => {
    await http.close();
    await Promise.all([peer.close(), slow.close()]);
  });

  it('are fetched while another server leaves as many requests open as it may', async () => {
    const keys = new RemoteKeys(documents, { deadline: patience(1_000) });
    const asked = Array.from({ length: 64 }, (_, n) => keys.get(`${slow.origin}/users/${n}#main-key`));
    const uri = peer.actor('quick');
    expect(await keys.get(`${uri}#main-key`)).to.include({ owner: uri, pem: PUBLIC_KEY });
    expect(await Promise.all(asked)).to.deep.equal(asked.map(() => undefined));
  });

  it('are fetched from all other hosts while many hosts hang', async () => {
    const hanging = createServer((req, res) => {
      const origin = `http://${req.headers.host ?? ''}`;
      // The hosts 127.0.1.x never answer.
      if (origin.includes('127.0.1.')) return;
      const [id, publicKeyPem] = [`${origin}/users/live`, PUBLIC_KEY];
      const publicKey = { id: `${id}#main-key`, owner: id, publicKeyPem };
      const actor = { id, type: 'Person', preferredUsername: 'live', inbox: `${id}/inbox`, publicKey };
      res.setHeader('Content-Type', ACTIVITY_JSON).end(JSON.stringify(actor));
    });
    hanging.listen(0, '0.0.0.0');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const hosts = (net: number, count: number) =>
      Array.from({ length: count }, (_, n) => `http://127.0.${net}.${n + 1}:${port}`);
    try {
      const keys = new RemoteKeys(documents, { deadline: patience(3_000) });
      const never = hosts(1, 100).flatMap((origin) =>
        ['a', 'b'].map((name) => `${origin}/users/${name}#main-key`),
      );
      const asked = never.map((id) => keys.get(id));
      const live = hosts(2, 100).map((origin) => `${origin}/users/live`);
      const found = await Promise.all(live.map((uri) => keys.get(`${uri}#main-key`)));
      expect(found.map((key) => key?.owner)).to.deep.equal(live);
      hanging.closeAllConnections();
      expect(await Promise.all(asked)).to.deep.equal(never.map(() => undefined));
    } finally {
      hanging.closeAllConnections();
      hanging.close();
    }
  });

  it('are awaited for a fixed time in all, however many documents they take', async () => {
    const keys = new RemoteKeys(documents, { deadline: 200 });
    const key = slow.put('/key', { id: `${slow.origin}/key`, owner: `${slow.origin}/users/1` });
    expect(await keys.get(key)).to.equal(undefined);
  });

  describe('that change', () => {
    const other = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).publicKey;
    const keysOf = (name: string, pems: Record<string, string>) => {
      const owner = `${peer.origin}/users/${name}`;
      return Object.entries(pems).map(([key, publicKeyPem]) => ({
        id: `${owner}#${key}`,
        owner,
        publicKeyPem,
      }));
    };
    const publish = (name: string, pem: string): string => {
      const uri = peer.actor(name, { publicKey: keysOf(name, { 'main-key': pem })[0] });
      return `${uri}#main-key`;
    };
    const askedFor = (name: string): number =>
      peer.asked.filter(({ path }) => path === `/users/${name}`).length;

    it('are fetched again when a signature does not match, up to a limit', async () => {
      const keys = new RemoteKeys(documents);
      const id = publish('rotated', PUBLIC_KEY);
      expect((await keys.get(id))?.pem).to.equal(PUBLIC_KEY);
      publish('rotated', other);
      expect((await keys.get(id))?.pem).to.equal(PUBLIC_KEY);
      expect((await keys.get(id, { fresh: true }))?.pem).to.equal(other);
      for (let n = 0; n < 10; n += 1) await keys.get(id, { fresh: true });
      expect(askedFor('rotated')).to.equal(4);
    });

    it('are fetched again after their owner announced a change, and not after an equal description', async () => {
      const keys = new RemoteKeys(documents);
      const id = publish('updated', PUBLIC_KEY);
      await keys.get(id);
      const uri = `${peer.origin}/users/updated`;
      const described = (pem: string) => ({
        preferredUsername: 'updated',
        followers: `${uri}/followers`,
        featured: `${uri}/featured`,
        publicKey: keysOf('updated', { 'main-key': pem }),
      });
      keys.announced({ id: uri, document: described(PUBLIC_KEY.replaceAll('\n', '\r\n')) });
      await keys.get(id);
      expect(askedFor('updated')).to.equal(1);
      publish('updated', other);
      keys.announced({ id: uri, document: described(other) });
      expect((await keys.get(id))?.pem).to.equal(other);
      keys.announced({ id: uri, document: {} });
      await keys.get(id);
      expect(askedFor('updated'), 'an update that names no key').to.equal(3);
    });

    it('are replaced all at once by a document that is read, and so are the collections', async () => {
      const keys = new RemoteKeys(documents);
      const uri = peer.actor('listed', {
        publicKey: keysOf('listed', { first: PUBLIC_KEY, second: PUBLIC_KEY }),
      });
      expect((await keys.get(`${uri}#first`))?.pem).to.equal(PUBLIC_KEY);
      expect((await keys.get(`${uri}#second`))?.featured).to.equal(`${uri}/featured`);
      expect(await keys.get(`${uri}#third`)).to.equal(undefined);
      const publicKey = keysOf('listed', { first: other, third: PUBLIC_KEY });
      peer.actor('listed', { publicKey, featured: `${uri}/pins` });
      keys.learn(await documents.get(uri));
      const asked = askedFor('listed');
      expect(await keys.get(`${uri}#first`)).to.include({ pem: other, featured: `${uri}/pins` });
      expect(askedFor('listed'), 'requests').to.equal(asked);
      expect(await keys.get(`${uri}#second`), 'not listed any longer').to.equal(undefined);
      expect((await keys.get(`${uri}#third`))?.pem, 'listed by now').to.equal(PUBLIC_KEY);
    });

    it('stay with their owner when another actor of the server lists them', async () => {
      const keys = new RemoteKeys(documents);
      const id = publish('owner', PUBLIC_KEY);
      await keys.get(id);
      const thief = peer.actor('thief');
      peer.actor('thief', {
        publicKey: [
          ...keysOf('thief', { 'main-key': other }),
          ...['owner', 'thief'].map((name) => ({
            id,
            owner: `${peer.origin}/users/${name}`,
            publicKeyPem: other,
          })),
        ],
      });
      await keys.get(`${thief}#main-key`);
      keys.learn(await documents.get(thief));
      expect(await keys.get(id)).to.include({ owner: `${peer.origin}/users/owner`, pem: PUBLIC_KEY });
    });

    it('are forgotten when another process read the actor otherwise', async () => {
      const told: [string, string][] = [];
      const keys = new RemoteKeys(documents, { tell: (...news) => told.push(news) });
      const id = publish('elsewhere', PUBLIC_KEY);
      await keys.get(id);
      const uri = `${peer.origin}/users/elsewhere`;
      keys.learn(await documents.get(uri));
      const fingerprint = told[0]?.[1] ?? '';
      keys.heard({ uri, fingerprint });
      expect(keys.has(id), 'read equally').to.equal(true);
      keys.heard({ uri, fingerprint: 'another' });
      expect(keys.has(id)).to.equal(false);
      await keys.get(id);
      keys.heard();
      expect(keys.has(id), 'after news may have been missed').to.equal(false);
    });

    it('remain in use when they cannot be fetched again, because the server may be down', async () => {
      const keys = new RemoteKeys(documents);
      const id = publish('down', PUBLIC_KEY);
      await keys.get(id);
      peer.put('/users/down', (_req, res) => void res.status(503).end());
      expect((await keys.get(id, { fresh: true }))?.pem).to.equal(PUBLIC_KEY);
    });
  });
});
