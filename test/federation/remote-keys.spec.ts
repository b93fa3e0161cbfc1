import { expect } from 'chai';
import { RemoteDocuments } from '../../src/federation/remote/documents.ts';
import { RemoteKeys } from '../../src/federation/signatures/remote-keys.ts';
import { createHttpClient, type OpenHttpClient } from '../../src/net/http-client.ts';
import { HERE } from '../support/inbox.ts';
import { PUBLIC_KEY, startPeer, type Peer } from '../support/peer.ts';

describe('keys of other servers', function () {
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

  it('are had while a server that does not answer is asked for as many as may be', async () => {
    const keys = new RemoteKeys(documents, 1_000);
    const asked = Array.from({ length: 64 }, (_, n) => keys.get(`${slow.origin}/users/${n}#main-key`));
    const uri = peer.actor('quick');
    expect(await keys.get(`${uri}#main-key`)).to.include({ owner: uri, pem: PUBLIC_KEY });
    expect(await Promise.all(asked)).to.deep.equal(asked.map(() => undefined));
  });

  it('are waited for so long in all, however many documents it takes', async () => {
    const keys = new RemoteKeys(documents, 200);
    const key = slow.put('/key', { id: `${slow.origin}/key`, owner: `${slow.origin}/users/1` });
    expect(await keys.get(key)).to.equal(undefined);
  });
});
