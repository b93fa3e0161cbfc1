import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Each key is used once, so the nonce need not be unique. */
const NONCE = Buffer.alloc(12);

/**
 * Encrypts a stream with a key of its own (AES-256-GCM), without a change of length. At the end, `secret`
 * returns the input for `unsealed`.
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

/**
 * Holds each piece back until the next one, and the last one until the end, when the authentication tag is
 * verified.
 */
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
