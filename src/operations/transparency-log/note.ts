import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { invalid } from '#kernel/errors.ts';
import { keyIdOf, keyText, NOTE_KEY, parseKeyText } from '#kernel/named-key.ts';

/** A text that ends with a newline, and its signatures: https://c2sp.org/signed-note */
export interface Note {
  text: string;
  signatures: readonly NoteSignature[];
}
export interface NoteSignature {
  /** The name of the key. */
  name: string;
  keyId: Buffer;
  signature: Buffer;
}

/** Verifies with a public key and its name. */
export interface NoteVerifier {
  /** `name+id+key`, in the form that auditors share. */
  key: string;
  /** 32 bytes. */
  publicKey: Buffer;
  /** Tells whether this key signed the note. */
  verifies(note: Note): boolean;
}

export interface NoteSigner {
  /** 32 bytes. */
  publicKey: Buffer;
  /** @returns the signed note */
  sign(text: string, name: string): string;
}

const SIGNED = '— ';
/**
 * The head of a private key in PKCS #8, before its 32 bytes:
 * https://datatracker.ietf.org/doc/html/rfc8410#section-7
 */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the line of a signature, with its newline. */
export const signatureLine = ({ name, keyId, signature }: NoteSignature): string =>
  `${SIGNED}${name} ${Buffer.concat([keyId, signature]).toString('base64')}\n`;

/** An Ed25519 key that signs bytes. */
export interface BytesSigner {
  /** 32 bytes. */
  publicKey: Buffer;
  sign: (bytes: Buffer) => Buffer;
}

/** Returns the Ed25519 key of a seed of 32 bytes. */
export function bytesSigner(seed: Buffer): BytesSigner {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { publicKey: Buffer.from(x, 'base64url'), sign: (bytes) => sign(null, bytes, privateKey) };
}

/** Returns a function that tells whether a public key of 32 bytes signed bytes. */
export function bytesVerifier(publicKey: Buffer): (bytes: Buffer, signature: Buffer) => boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return (bytes, signature) => verify(null, bytes, key, signature);
}

/** Returns a signer with the Ed25519 key of a seed of 32 bytes. */
export function noteSigner(seed: Buffer): NoteSigner {
  const { publicKey, sign: signBytes } = bytesSigner(seed);
  return {
    publicKey,
    sign(text, name) {
      const keyId = keyIdOf({ name, type: NOTE_KEY, publicKey });
      return `${text}\n${signatureLine({ name, keyId, signature: signBytes(Buffer.from(text)) })}`;
    },
  };
}

/** Returns a verifier for a public key of 32 bytes under a name. */
export function noteVerifier(name: string, publicKey: Buffer): NoteVerifier {
  const named = { name, type: NOTE_KEY, publicKey };
  const keyId = keyIdOf(named);
  const signed = bytesVerifier(publicKey);
  return {
    key: keyText(named),
    publicKey,
    verifies: ({ text, signatures }) =>
      signatures.some(
        (each) => each.name === name && each.keyId.equals(keyId) && signed(Buffer.from(text), each.signature),
      ),
  };
}

/**
 * @throws RookeryError `invalid` for text that is no `name+id+key` of an Ed25519 key, or has the id of
 * another key
 */
export function parseVerifierKey(text: string): NoteVerifier {
  const key = parseKeyText(text.trim(), NOTE_KEY);
  if (key) return noteVerifier(key.name, key.publicKey);
  throw invalid('The key must be as `rookery log key` prints it: name+id+key');
}

/**
 * Returns consecutive notes, perhaps with empty lines between them; their texts have no empty lines.
 * @throws RookeryError `invalid` for any other text
 */
export function parseNotes(file: string): Note[] {
  const notes: Note[] = [];
  let text = '';
  let signatures: NoteSignature[] = [];
  let inText = true;
  const end = (): void => {
    if (text === '') return;
    if (signatures.length === 0) throw malformed();
    notes.push({ text, signatures });
    text = '';
    signatures = [];
    inText = true;
  };
  for (const line of file.split('\n')) {
    if (!inText && line.startsWith(SIGNED)) signatures.push(signatureIn(line));
    else if (line !== '') {
      if (!inText) end();
      text += `${line}\n`;
    } else if (inText) inText = text === '';
    else end();
  }
  end();
  return notes;
}

function signatureIn(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length < 5) throw malformed();
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

const malformed = () => invalid('That is no signed note');
