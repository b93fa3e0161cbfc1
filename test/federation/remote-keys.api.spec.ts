import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { RemoteDocuments } from '../../src/interfaces/federation/remote/documents.ts';
import { RemoteKeys } from '../../src/interfaces/federation/signatures/remote-keys.ts';
import { createHttpClient, type OpenHttpClient } from '../../src/adapters/outbound-http/http-client.ts';
import { HERE } from '../support/inbox.ts';
import { PUBLIC_KEY, startPeer, type Peer } from '../support/peer.ts';

describe('Keys of remote actors', function () {
  this.timeout(5_000);
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
        ...{ domain: 'rookery.example', origin: HERE, mediaOrigin: HERE, vapidPublicKey: '' },
        ...{ software: { name: '', version: '' }, version: '', sourceUrl: '', limitedFederation: false },
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
    const keys = new RemoteKeys(documents, 1_000);
    const asked = Array.from({ length: 64 }, (_, n) => keys.get(`${slow.origin}/users/${n}#main-key`));
    const uri = peer.actor('quick');
    expect(await keys.get(`${uri}#main-key`)).to.include({ owner: uri, pem: PUBLIC_KEY });
    expect(await Promise.all(asked)).to.deep.equal(asked.map(() => undefined));
  });

  it('are awaited for a fixed time in all, however many documents they take', async () => {
    const keys = new RemoteKeys(documents, 200);
    const key = slow.put('/key', { id: `${slow.origin}/key`, owner: `${slow.origin}/users/1` });
    expect(await keys.get(key)).to.equal(undefined);
  });

  describe('that change', () => {
    const other = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).publicKey;
    const publish = (name: string, pem: string): string => {
      const id = `${peer.origin}/users/${name}`;
      peer.actor(name, { publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: pem } });
      return `${id}#main-key`;
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

    it('are fetched again after their owner announced a change', async () => {
      const keys = new RemoteKeys(documents);
      const id = publish('updated', PUBLIC_KEY);
      await keys.get(id);
      publish('updated', other);
      keys.forget(id);
      expect((await keys.get(id))?.pem).to.equal(other);
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
