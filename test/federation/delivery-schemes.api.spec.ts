import { createPublicKey, webcrypto } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { verifyRequest } from '@fedify/fedify/sig';
import { CryptographicKey } from '@fedify/vocab';
import { expect } from 'chai';
import type { Request as Arriving } from 'express';
import { type Json, send } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

for (const refusal of [400, 401]) {
  describe(`Deliveries to a server that answers ${refusal} to other signatures than RFC 9421`, function () {
    this.timeout(60_000);
    const scene = inboxScene();
    const { as, by, sent } = scene;
    let server: TestServer;
    let peer: Peer;
    let alice: TestUser;
    /** Signature scheme, result and type of each delivery to the inbox. */
    const tried: string[] = [];
    let headers: Arriving['headers'] = {};

    before(async function () {
      this.timeout(120_000);
      ({ server, peer, alice } = await scene.start());
      peer.actor('strict');
      const key = await keyOf(((await scene.fetched(ALICE)).body['publicKey'] as Json)['publicKeyPem']);
      peer.put('/users/strict/inbox', (req, res) => {
        void (async () => {
          const body = await buffer(req);
          const isTaken = await isSigned(req, body, key);
          headers = req.headers;
          const form = req.headers['signature-input'] === undefined ? 'draft' : 'rfc9421';
          tried.push(
            `${form} ${isTaken ? 'taken' : 'refused'} ${String((JSON.parse(body.toString()) as Json)['type'])}`,
          );
          res.status(isTaken ? 202 : refusal).end();
        })();
      });
    });
    after(() => scene.close());

    async function keyOf(pem: unknown): Promise<CryptographicKey> {
      const der = createPublicKey(String(pem)).export({ type: 'spki', format: 'der' });
      const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
      const publicKey = await webcrypto.subtle.importKey('spki', new Uint8Array(der), algorithm, true, [
        'verify',
      ]);
      return new CryptographicKey({ id: new URL(`${ALICE}#main-key`), owner: new URL(ALICE), publicKey });
    }

    /** Verifies with an independent library, as strict servers do. */
    async function isSigned(req: Arriving, body: Buffer, key: CryptographicKey): Promise<boolean> {
      const request = new Request(`${peer.origin}${req.url}`, {
        method: 'POST',
        headers: req.headers as Record<string, string>,
        body: new Uint8Array(body),
      });
      const nothing = (): Promise<never> => Promise.reject(new Error('Nothing is fetched'));
      const verified = await verifyRequest(request, {
        spec: 'rfc9421',
        keyCache: { get: () => Promise.resolve(key), set: () => Promise.resolve() },
        documentLoader: nothing,
        contextLoader: nothing,
      });
      return verified !== null;
    }

    it('are retried in that form without delay, and use it from then on', async () => {
      await send(server, by('strict'), sent('strict', 'Follow', ALICE));
      await scene.news();
      expect(tried.splice(0)).deep.equal(['draft refused Accept', 'rfc9421 taken Accept']);
      await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
      await scene.news();
      expect(tried.splice(0)).deep.equal(['rfc9421 taken Create']);
    });

    it('sign the digest of followers as well', async () => {
      await as(alice, 'POST', '/api/v1/statuses', { status: 'For followers', visibility: 'private' });
      await scene.news();
      expect(tried.splice(0)).deep.equal(['rfc9421 taken Create']);
      expect(headers['collection-synchronization']).contain(`collectionId="${ALICE}/followers"`);
      expect(headers['signature-input']).contain('"content-digest" "collection-synchronization"');
    });
  });
}
