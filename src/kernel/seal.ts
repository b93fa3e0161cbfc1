import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts a secret for storage with a key of 32 bytes (AES-256-GCM): nonce, tag and text. It can be unsealed
 * only with the same `owner`.
 */
export function seal(key: Buffer, secret: Buffer, owner = ''): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(owner));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** @throws when the key or the owner is another one, or the text was changed */
export function unseal(key: Buffer, wrapped: Buffer, owner = ''): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, 12));
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(wrapped.subarray(12, 28));
  return Buffer.concat([decipher.update(wrapped.subarray(28)), decipher.final()]);
}
