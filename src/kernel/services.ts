import type { Readable } from 'node:stream';

/**
 * Ports to things that are neither the log nor read models. The composition root binds them; commands only see these
 * interfaces.
 */
export interface Services {
  mailer: Mailer;
  credentials: Credentials;
  tokens: Tokens;
  media: MediaStore;
  images: Images;
  /** A keyed digest of a canonical e-mail address, 64 hex digits: names the stream that reserves the address. */
  emailDigest(canonicalAddress: string): string;
}

/** One mail to one person. `kind` names what it is for (`confirmation`), in logs and file names. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  kind: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Passwords and one-time codes: durable, never in the log. */
export interface Credentials {
  setPassword(accountId: string, password: string): Promise<void>;
  /** True when this is the account's password; takes the same time for an unknown account. */
  verifyPassword(accountId: string | undefined, password: string): Promise<boolean>;
  /** A one-time code, kept hashed: the account it was made for and a value of the maker's (an e-mail address). */
  createCode(kind: string, accountId: string, value: string): Promise<string>;
  /** Uses up a code; undefined when it is unknown or older than its kind lives. */
  useCode(kind: string, code: string): Promise<{ accountId: string; value: string } | undefined>;
}

/** Issues and revokes access tokens. */
export interface Tokens {
  /** @returns the bearer token in clear text, which is stored nowhere. `created_at` in seconds since 1970. */
  issue(token: { applicationId: string; accountId?: string; scopes: readonly string[] }): Promise<{
    access_token: string;
    token_type: 'Bearer';
    scope: string;
    created_at: number;
  }>;
  /** Also ends the account's sign-in sessions and unused authorization codes. */
  revokeAllOf(accountId: string): Promise<void>;
  /** Gives an application a new secret, in clear text; stored is only its hash. An earlier secret is void. */
  createApplicationSecret(applicationId: string): Promise<string>;
}

/** Files served to browsers. Keys are content-hashed and hold no user text. */
export interface MediaStore {
  put(data: Buffer, file: { extension: string; contentType: string }): Promise<string>;
  /** The stored bytes and their number; null when there is no such file. The caller reads or destroys the stream. */
  read(key: string): Promise<{ stream: Readable; size: number } | null>;
  remove(key: string): Promise<void>;
}

export interface ProcessedImage {
  data: Buffer;
  contentType: string;
  extension: string;
}

export interface Images {
  /** `file`: the bytes or a path. @throws RookeryError `invalid` for anything that is no image within the limits */
  processProfileImage(
    file: Buffer | string,
    kind: 'avatar' | 'header',
  ): Promise<{ original: ProcessedImage; static: ProcessedImage }>;
  /** @throws RookeryError `invalid` for anything that is no PNG, GIF or WebP within the limits of an emoji */
  processEmoji(file: Buffer): Promise<{ original: ProcessedImage; static: ProcessedImage }>;
}
