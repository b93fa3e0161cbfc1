import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  webcrypto,
} from 'node:crypto';
import { preloadedContexts } from '@fedify/fedify/runtime';
import { signObject, verifyObject } from '@fedify/fedify/sig';
import { Activity, Create, Multikey, Note } from '@fedify/vocab';
import { expect } from 'chai';
import { ACTOR_CONTEXT, POST_CONTEXT, PUBLIC } from '#interfaces/federation/documents/contexts.ts';
import {
  isProvenBy,
  proofClaim,
  withIntegrityProof,
} from '#interfaces/federation/signatures/integrity-proof.ts';
import { multikeyOf, publicKeyIn } from '#interfaces/federation/signatures/multikey.ts';
import vectors from './integrity-proof-vectors.json' with { type: 'json' };

type Json = Record<string, unknown>;

const ACTOR = 'https://server.example/users/alice';
const KEY_ID = `${ACTOR}#ed25519-key`;
const pemOf = (multikey: string): string => publicKeyIn(multikey)?.pem ?? '';
const holds = (document: Json, multikey: string): boolean => {
  const claim = proofClaim(document);
  return claim !== undefined && isProvenBy(claim, pemOf(multikey));
};
const proofOf = (document: Json): Json => document['proof'] as Json;

/** Fedify's loader of contexts, without the network. */
const contextLoader = (url: string) => {
  const document = preloadedContexts[url];
  if (document === undefined) throw new Error(`${url} would be fetched`);
  return Promise.resolve({ contextUrl: null, documentUrl: url, document });
};

describe('Object integrity proofs', () => {
  describe('in published examples', () => {
    // https://w3id.org/fep/8b32 (fep-8b32.feature), https://www.w3.org/TR/vc-di-eddsa/,
    // https://www.w3.org/TR/vc-di-quantum-resistant-1.0/
    for (const [name, key] of [
      ['fep8b32', vectors.ed25519Key],
      ['expiresLater', vectors.ed25519Key],
      ['vcDiEddsa', vectors.ed25519Key],
      ['vcDiQuantumResistant', vectors.mldsa44Key],
    ] as const) {
      it(`hold with their key and for their text alone (${name})`, () => {
        const document: Json = vectors[name];
        expect(holds(document, key)).equal(true);
        const other = multikeyOf(generateKeyPairSync('ed25519').publicKey);
        if (key === vectors.ed25519Key) expect(holds(document, other)).equal(false);
        expect(holds({ ...document, id: 'https://server.example/other' }, key)).equal(false);
        const options = proofOf(document);
        const changed = { ...document, proof: { ...options, created: '2023-02-24T23:36:39Z' } };
        expect(holds(changed, key)).equal(false);
      });
    }

    it('are no proof once they have expired', () => {
      expect(proofClaim(vectors.expired)).equal(undefined);
      expect(proofClaim(vectors.expired, Date.parse('2023-02-24T23:36:38Z'))?.keyId).equal(KEY_ID);
    });
  });

  it('hold where contexts were added behind those of the proof, and not where one was put before', () => {
    const document: Json = vectors.fep8b32;
    const contexts = vectors.fep8b32['@context'];
    const added = { ...document, '@context': [...contexts, 'https://more.example/v1'] };
    expect(holds(added, vectors.ed25519Key)).equal(true);
    const before = { ...document, '@context': ['https://more.example/v1', ...contexts] };
    expect(holds(before, vectors.ed25519Key)).equal(false);
  });

  it('are refused when a member is missing, another one, or too long', () => {
    const document: Json = vectors.fep8b32;
    const options = proofOf(document);
    for (const [member, value] of [
      ['type', 'Ed25519Signature2020'],
      ['cryptosuite', 'eddsa-rdfc-2022'],
      ['cryptosuite', 'mldsa44-jcs-2024'],
      ['proofPurpose', 'authentication'],
      ['verificationMethod', undefined],
      ['verificationMethod', `https://server.example/${'x'.repeat(2_048)}`],
      ['proofValue', undefined],
      ['proofValue', 'z1'],
      ['proofValue', `z${'2'.repeat(5_000)}`],
      ['proofValue', 'not a multibase'],
      ['expires', 'soon'],
      ['@context', 'https://other.example/v1'],
    ] as const) {
      const changed = { ...document, proof: { ...options, [member]: value } };
      expect(proofClaim(changed), `${member} ${String(value).slice(0, 40)}`).equal(undefined);
    }
    for (const proof of [undefined, null, 'text', [], [null]]) {
      expect(proofClaim({ ...document, proof }), JSON.stringify(proof)).equal(undefined);
    }
    const among = { ...document, proof: [{ ...options, cryptosuite: 'eddsa-rdfc-2022' }, options] };
    expect(holds(among, vectors.ed25519Key)).equal(true);
  });

  describe('that this server makes', () => {
    const keys = generateKeyPairSync('ed25519');
    const fedifyKey = async (key: KeyObject): Promise<Multikey> => {
      const der = new Uint8Array(key.export({ type: 'spki', format: 'der' }));
      const publicKey = await webcrypto.subtle.importKey('spki', der, 'Ed25519', true, ['verify']);
      return new Multikey({ id: new URL(KEY_ID), controller: new URL(ACTOR), publicKey });
    };
    const create = (context: unknown) => ({
      '@context': context,
      id: 'https://server.example/activities/1',
      type: 'Create',
      actor: ACTOR,
      to: [PUBLIC],
      object: {
        id: 'https://server.example/notes/1',
        type: 'Note',
        attributedTo: ACTOR,
        to: [PUBLIC],
        content: '<p>"é" \u2028 💚</p>',
        sensitive: false,
        summary: null,
      },
    });
    const signing = { keyId: KEY_ID, privateKey: keys.privateKey };
    const readByFedify = async (document: unknown, key: KeyObject) => {
      const known = await fedifyKey(key);
      const keyCache = { get: () => Promise.resolve(known), set: () => Promise.resolve() };
      return verifyObject(Activity, document, { contextLoader, documentLoader: contextLoader, keyCache });
    };

    for (const [name, context] of [
      ['a post', POST_CONTEXT],
      ['an actor', ACTOR_CONTEXT],
      ['plain activities', 'https://www.w3.org/ns/activitystreams'],
    ] as const) {
      it(`hold for Fedify in the context of ${name}`, async () => {
        const document = withIntegrityProof(create(context), signing);
        expect(await readByFedify(document, keys.publicKey)).instanceOf(Create);
        expect(await readByFedify(document, generateKeyPairSync('ed25519').publicKey)).equal(null);
        expect(holds(document, multikeyOf(keys.publicKey))).equal(true);
      });
    }

    it('are the ones that the specification prints for its key and time', () => {
      const { proof, ...document } = vectors.vcDiEddsa;
      // The private key of the example: "z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq".
      const seed = 'c96ef9ea10c5e414c471723aff9de72c35fa5b70fae97e8832ecac7d2e2b8ed6';
      const der = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex');
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      expect(multikeyOf(createPublicKey(privateKey))).equal(vectors.ed25519Key);
      const made = withIntegrityProof(
        { ...document, actor: ACTOR },
        { keyId: proof.verificationMethod, privateKey },
        new Date(proof.created),
      );
      expect(proofOf(made)).deep.include({ created: proof.created, cryptosuite: 'eddsa-jcs-2022' });
      expect(holds(made, vectors.ed25519Key)).equal(true);
    });
  });

  it('hold when Fedify made them, whether or not they print the context that they hash', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const der = new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }));
    const key = await webcrypto.subtle.importKey('pkcs8', der, 'Ed25519', true, ['sign']);
    const note = new Note({ attribution: new URL(ACTOR), content: 'Hello' });
    const signed = await signObject(
      new Create({ id: new URL('https://server.example/activities/2'), actor: new URL(ACTOR), object: note }),
      key,
      new URL(KEY_ID),
      { contextLoader },
    );
    const document = (await signed.toJsonLd({ contextLoader, format: 'compact' })) as Json;
    const { '@context': context, ...silent } = proofOf(document);
    expect(context).deep.equal(document['@context']);
    for (const proof of [proofOf(document), silent])
      expect(holds({ ...document, proof }, multikeyOf(publicKey))).equal(true);
    expect(holds({ ...document, actor: `${ACTOR}2` }, multikeyOf(publicKey))).equal(false);
  });
});

describe('Multikeys', () => {
  it('are read for Ed25519 and ML-DSA-44, in base 58 and in base64url', () => {
    expect(publicKeyIn(vectors.ed25519Key)?.type).equal('ed25519');
    const { publicKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(12);
    const url = `u${Buffer.concat([Buffer.from('ed01', 'hex'), raw]).toString('base64url')}`;
    expect(publicKeyIn(url)).deep.equal(publicKeyIn(multikeyOf(publicKey)));
    const quantum = createPublicKey(pemOf(vectors.mldsa44Key)).asymmetricKeyType;
    expect(quantum).equal('ml-dsa-44');
  });

  it('are refused when their kind, length or type is another one', () => {
    for (const text of [
      undefined,
      7,
      '',
      'z',
      'u',
      'f00',
      'z0OIl',
      vectors.ed25519Key.slice(0, -1),
      `${vectors.ed25519Key}2`,
      // P-256
      'zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv',
      `z${'2'.repeat(100_000)}`,
    ]) {
      expect(publicKeyIn(text), String(text).slice(0, 60)).equal(undefined);
    }
  });
});
