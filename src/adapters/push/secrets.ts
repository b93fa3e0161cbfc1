import type { MasterKey } from '#kernel/master-key.ts';

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
 * Encrypts with a separate key that derives from the master key, which is not in the database: a reader of
 * the database alone can neither write to subscribers nor use their tokens.
 */
export function secretBox(master: MasterKey): SecretBox {
  const box = master.box('pushSecrets');
  return {
    seal: (secrets) => box.seal(Buffer.from(JSON.stringify(secrets))),
    open: (sealed) => JSON.parse(box.unseal(sealed).toString()) as PushSecrets,
  };
}
