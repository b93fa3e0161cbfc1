import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** A key is used once, so there is nothing that a nonce would have to tell apart. */
const NONCE = Buffer.alloc(12);

/**
 * Encrypts what passes with a key of its own (AES-256-GCM): as many bytes come out as go in. `secret` gives, once all has passed, what
 * `unsealed` needs.
 */
export function sealing(): { seal: Transform; secret: () => Buffer } {
  const key = randomBytes(KEY_BYTES);
  const seal = createCipheriv(ALGORITHM, key, NONCE);
  return { seal, secret: () => Buffer.concat([key, seal.getAuthTag()]) };
}

/** Returns the unsealed bytes. The stream fails before its end when the bytes were changed. */
export function unsealed(sealed: Readable, secret: Buffer): Readable {
  const opening = createDecipheriv(ALGORITHM, secret.subarray(0, KEY_BYTES), NONCE);
  opening.setAuthTag(secret.subarray(KEY_BYTES));
  // The reader of the last stream receives the error.
  return pipeline(sealed, opening, new HoldsBack(), () => undefined);
}

/** Gives each piece when the next one comes, and the last one at the end: whether all of it is right is known only then. */
class HoldsBack extends Transform {
  #held: Buffer | undefined;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const before = this.#held;
    this.#held = chunk;
    done(null, before);
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#held);
  }
}
