import { hash } from 'node:crypto';

/** The types of Ed25519 keys: https://c2sp.org/signed-note#signature-types */
export const NOTE_KEY = 1;
/** Timestamped cosignatures of witnesses: https://c2sp.org/tlog-cosignature */
export const COSIGNATURE_KEY = 4;

/** A key of Ed25519 under a name, for one type of signatures. */
export interface NamedKey {
  name: string;
  /** The type of its signatures: https://c2sp.org/signed-note#signature-types */
  type: number;
  /** 32 bytes. */
  publicKey: Buffer;
}

/** Returns the four bytes that name a key in signatures. */
export const keyIdOf = ({ name, type, publicKey }: NamedKey): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey]), 'buffer').subarray(
    0,
    4,
  );

/** Returns a key as `name+id+key`. */
export const keyText = (key: NamedKey): string => {
  const bytes = Buffer.concat([Buffer.of(key.type), key.publicKey]);
  return `${key.name}+${keyIdOf(key).toString('hex')}+${bytes.toString('base64')}`;
};

/** Returns the key of a text `name+id+key`; undefined for other text, another type, or the id of another key. */
export function parseKeyText(text: string, type: number): NamedKey | undefined {
  const [, name = '', , encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 33 || bytes[0] !== type) return undefined;
  const key = { name, type, publicKey: bytes.subarray(1) };
  return keyText(key) === text ? key : undefined;
}
