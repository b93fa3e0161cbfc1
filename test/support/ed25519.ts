import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { withIntegrityProof } from '#interfaces/federation/signatures/integrity-proof.ts';
import { multikeyOf } from '#interfaces/federation/signatures/multikey.ts';
import type { Peer } from './peer.ts';

type Json = Record<string, unknown>;

/** An Ed25519 pair of an actor of a peer, as other servers have it beside an RSA pair. */
export interface AssertionKey {
  id: string;
  privateKey: KeyObject;
  /** The members of the actor that name the key. */
  named: Json;
}

export function assertionKey(peer: Peer, name: string): AssertionKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const controller = `${peer.origin}/users/${name}`;
  const id = `${controller}#ed25519-key`;
  const key = { id, type: 'Multikey', controller, publicKeyMultibase: multikeyOf(publicKey) };
  return { id, privateKey, named: { assertionMethod: [key] } };
}

/** Adds a proof to an activity, as its actor's server does before it sends it. */
export const provenBy = (
  { id, privateKey }: Pick<AssertionKey, 'id' | 'privateKey'>,
  activity: Json,
  now?: Date,
): Json => withIntegrityProof(activity as Json & { actor: string }, { keyId: id, privateKey }, now);

/** Returns the headers of a signed GET, of RFC 9421 or the older draft. */
export function signedGet(
  { id, privateKey }: Pick<AssertionKey, 'id' | 'privateKey'>,
  target: string,
  spec: 'rfc9421' | 'draft',
  algorithm?: string,
): Record<string, string> {
  const { host, pathname } = new URL(target);
  const headers = { accept: 'application/activity+json', host, date: new Date().toUTCString() };
  const signed = (lines: readonly string[]): string =>
    sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64');
  if (spec === 'draft') {
    const lines = [`(request-target): get ${pathname}`, `host: ${host}`, `date: ${headers.date}`];
    const named = algorithm === undefined ? '' : `algorithm="${algorithm}",`;
    const names = '(request-target) host date';
    return { ...headers, signature: `keyId="${id}",${named}headers="${names}",signature="${signed(lines)}"` };
  }
  const alg = algorithm === undefined ? '' : `;alg="${algorithm}"`;
  const created = Math.floor(Date.now() / 1_000);
  const parameters = `("@method" "@target-uri");created=${created};keyid="${id}"${alg}`;
  const lines = [`"@method": GET`, `"@target-uri": ${target}`, `"@signature-params": ${parameters}`];
  return { ...headers, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signed(lines)}:` };
}
