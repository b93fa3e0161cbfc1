import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What of a subscription only its owner and the push message to it may know. `auth` is base64url. */
export interface PushSecrets {
  auth: string;
  /** The access token in clear text, or null. */
  bearer: string | null;
}

export interface SecretBox {
  seal(secrets: PushSecrets): Buffer;
  /** @throws Error for what was sealed with another key, or changed */
  open(sealed: Buffer): PushSecrets;
}

const IV = 12;
const TAG = 16;

/**
 * AES-256-GCM under a key of its own that derives from the master key, which is not in the database: whoever reads only the
 * database can neither write to subscribers nor use their tokens.
 */
export function secretBox(master: Buffer): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', master, '', 'rookery push secrets', 32));
  return {
    seal(secrets) {
      const iv = randomBytes(IV);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const text = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV));
      decipher.setAuthTag(sealed.subarray(IV, IV + TAG));
      const text = Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]);
      return JSON.parse(text.toString()) as PushSecrets;
    },
  };
}
