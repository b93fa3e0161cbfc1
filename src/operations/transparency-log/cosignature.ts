import { invalid } from '#kernel/errors.ts';
import { COSIGNATURE_KEY, keyIdOf, keyText, type NamedKey, parseKeyText } from '#kernel/named-key.ts';
import { bytesSigner, bytesVerifier, type Note, parseNotes, signatureLine } from './note.ts';

/*
 * Cosignatures by Ed25519: a witness states that it saw the log of a checkpoint grow up to it, at a time.
 * https://c2sp.org/tlog-cosignature
 */

/** Bytes of the time before a signature, and of the signature. */
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** A cosignature that a key verified. */
export interface Cosignature {
  /** The key of the witness, as `name+id+key`. */
  witness: string;
  /** Seconds since 1970. */
  time: number;
  /** The signature line, with its newline. */
  line: string;
}

export interface CosignatureVerifier {
  /** `name+id+key` */
  key: string;
  name: string;
  /** 32 bytes. */
  publicKey: Buffer;
  /** Returns the newest valid cosignature of a note by this key; undefined without one. */
  find(note: Note): Cosignature | undefined;
  /** Tells whether a signature line has the name and the id of this key. */
  claims(note: Note): boolean;
}

export interface Cosigner {
  /** `name+id+key` */
  key: string;
  /** Returns the signature line for the text of a note; `time` is in seconds since 1970. */
  cosign(text: string, time: number): string;
}

const signedBytes = (text: string, time: bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);

/** Returns a witness with the Ed25519 key of a seed of 32 bytes. */
export function cosigner(seed: Buffer, name: string): Cosigner {
  const { publicKey, sign } = bytesSigner(seed);
  const named: NamedKey = { name, type: COSIGNATURE_KEY, publicKey };
  return {
    key: keyText(named),
    cosign(text, time) {
      const stamp = Buffer.alloc(TIME_BYTES);
      stamp.writeBigUInt64BE(BigInt(time));
      const signature = Buffer.concat([stamp, sign(signedBytes(text, BigInt(time)))]);
      return signatureLine({ name, keyId: keyIdOf(named), signature });
    },
  };
}

/** @throws RookeryError `invalid` for text that is no key of a witness with Ed25519 cosignatures */
export function parseCosignatureKey(text: string): CosignatureVerifier {
  const named = parseKeyText(text.trim(), COSIGNATURE_KEY);
  if (!named) {
    throw invalid(
      'The key of a witness must be name+id+key, of the type of timestamped Ed25519 cosignatures',
    );
  }
  const keyId = keyIdOf(named);
  const verifies = bytesVerifier(named.publicKey);
  const key = keyText(named);
  const ofKey = ({ signatures }: Note) =>
    signatures.filter((each) => each.name === named.name && each.keyId.equals(keyId));
  return {
    key,
    name: named.name,
    publicKey: named.publicKey,
    claims: (note) => ofKey(note).length > 0,
    find(note) {
      const valid = ofKey(note).flatMap((each): Cosignature[] => {
        if (each.signature.length !== TIME_BYTES + SIGNATURE_BYTES) return [];
        const time = each.signature.readBigUInt64BE(0);
        // Such a time is no time of this world, and does not fit a number.
        if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return [];
        const isValid = verifies(signedBytes(note.text, time), each.signature.subarray(TIME_BYTES));
        return isValid ? [{ witness: key, time: Number(time), line: signatureLine(each) }] : [];
      });
      return valid.toSorted((one, other) => other.time - one.time)[0];
    },
  };
}

/** The most signature lines in the reply of a witness. */
const MAX_LINES = 16;
/** Seconds that the clock of a witness may be ahead. */
const AHEAD = 300;

/**
 * Returns the cosignature of a checkpoint in the reply of a witness; `text` is that of the checkpoint, and `now` in
 * seconds since 1970.
 * @throws RookeryError `invalid` that says what is wrong with the reply
 */
export function cosignatureIn(
  reply: string,
  { text, verifier, now }: { text: string; verifier: CosignatureVerifier; now: number },
): Cosignature {
  const lines = reply.split('\n').filter((line) => line !== '');
  if (lines.length === 0 || lines.length > MAX_LINES || !lines.every((line) => line.startsWith('— '))) {
    throw invalid('The reply is no signature of the checkpoint');
  }
  const note = noteOf(text, lines);
  const found = verifier.find(note);
  if (found && found.time > now + AHEAD) {
    throw invalid(`The time of the cosignature is ${found.time - now} seconds ahead`);
  }
  if (found) return found;
  throw invalid(
    verifier.claims(note)
      ? 'The cosignature does not verify: it is of another log, of another checkpoint, or by another key'
      : `The reply has no cosignature by the key ${verifier.key}`,
  );
}

function noteOf(text: string, lines: readonly string[]): Note {
  try {
    const [note] = parseNotes(`${text}\n${lines.join('\n')}\n`);
    if (note) return note;
  } catch {
    // The line below says it.
  }
  throw invalid('The reply is no signature of the checkpoint');
}
