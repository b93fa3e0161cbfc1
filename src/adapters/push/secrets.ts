import { hkdfSync } from 'node:crypto';
import { unseal, seal } from '../../kernel/seal.ts';

/** The part of a subscription that only its owner and its push messages may know. `auth` is base64url. */
export interface PushSecrets {
  auth: string;
  /** The access token in clear text, or null. */
  bearer: string | null;
}

export interface SecretBox {
  seal(secrets: PushSecrets): Buffer;
  /** Throws Error for data that was sealed with another key, or changed. */
  open(sealed: Buffer): PushSecrets;
}

/**
 * Encrypts with AES-256-GCM under a separate key that derives from the master key, which is not in the
 * database: a reader of the database alone can neither write to subscribers nor use their tokens.
 */
export function secretBox(master: Buffer): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', master, '', 'rookery push secrets', 32));
  return {
    seal: (secrets) => seal(key, Buffer.from(JSON.stringify(secrets))),
    open: (sealed) => JSON.parse(unseal(key, sealed).toString()) as PushSecrets,
  };
}
