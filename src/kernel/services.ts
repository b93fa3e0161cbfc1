import type { Readable } from 'node:stream';
import type { AsyncRefreshes } from './async-refresh.ts';
import type { JsonObject } from './event.ts';
import type { MediaMeta, MediaType } from './media.ts';
import type { Translator } from './translator.ts';
import type { ActorPublicKeys, Deliveries, Resolver } from './federation-services.ts';
import type { ProvableHistory } from './provable-history.ts';

export type {
  ActorPublicKeys,
  Deliveries,
  OutgoingActivity,
  Resolved,
  Resolver,
} from './federation-services.ts';
export type { ConsistencyProof, InclusionProof, ProvableHistory } from './provable-history.ts';

/**
 * Ports to things that are neither the log nor read models. The composition root binds them; commands only see these
 * interfaces.
 */
export interface Services {
  mailer: Mailer;
  credentials: Credentials;
  tokens: Tokens;
  encryptedMail: EncryptedMail;
  pushSubscriptions: PushSubscriptions;
  pushSender: PushSender;
  media: MediaStore;
  images: Images;
  http: HttpClient;
  mediaProcessor: MediaProcessor;
  jobs: Jobs;
  resolver: Resolver;
  actorKeys: ActorPublicKeys;
  deliveries: Deliveries;
  asyncRefreshes: AsyncRefreshes;
  /** Absent where no translation service is set up. */
  translator?: Translator | undefined;
  /** A keyed digest of a canonical e-mail address, 64 hex digits: names the stream that reserves the address. */
  emailDigest(canonicalAddress: string): string;
  /** The same of a range of IP addresses: names the stream of its block. */
  addressDigest(range: string): string;
  refusedSignUps: RefusedSignUps;
  personalData: PersonalData;
  stack: SoftwareStack;
  history: ProvableHistory;
}

/** What is encrypted with the keys of data subjects. */
export interface PersonalData {
  /** Destroys the key of a subject: its personal fields are gone everywhere in the log, for ever. */
  erase(subject: string): Promise<void>;
  /**
   * Removes what is known of an account outside of the log and the read models: password, sessions, tokens with what hangs on
   * them, IP addresses, mails that were written to files for these addresses.
   */
  forget(accountId: string, addresses: readonly string[]): Promise<void>;
}

/** What this server runs on, besides the database: for staff. */
export interface SoftwareStack {
  usage(): Promise<{ key: string; human_key: string; bytes: number }[]>;
  versions(): Promise<{ key: string; human_key: string; version: string }[]>;
}

/** Counts, by day, the sign-ups that blocks of their mail domains refused: durable for a week, never in the log. */
export interface RefusedSignUps {
  /** `mailbox` is the digest of the address. */
  record(domains: readonly string[], mailbox: string): Promise<void>;
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
  /** Looks up anew, from the next request on, what an account's tokens may do. */
  forget(accountId: string): void;
  /** Gives an application a new secret, in clear text; stored is only its hash. An earlier secret is void. */
  createApplicationSecret(applicationId: string): Promise<string>;
}

/** What a file to be stored is. */
export interface StoredFile {
  /** Without a dot. */
  extension: string;
  contentType: string;
  /** Whose it is: the same bytes of two owners are two files, so that one may be removed without the other. */
  owner?: string;
}

/**
 * Files served to browsers, named by their content: the same bytes of one owner have the same key, so a key never changes
 * its content and may be cached for ever. Files without an owner may be shared: nobody removes them.
 */
export interface MediaStore {
  put(data: Buffer, file: StoredFile): Promise<string>;
  /** The same from a file on the local disk, however large. */
  putFile(path: string, file: StoredFile): Promise<string>;
  /** Writes a stored file to the local disk. @throws RookeryError `not_found` */
  fetch(key: string, path: string): Promise<void>;
  /** The stored bytes and their number; null when there is no such file. The caller reads or destroys the stream. */
  read(key: string): Promise<{ stream: Readable; size: number } | null>;
  remove(key: string): Promise<void>;
}

/** What became of an upload; places are keys of the media store. */
export interface RenderedMedia {
  type: MediaType;
  /** null while it is being processed. */
  file: string | null;
  preview: string | null;
  meta: MediaMeta;
  blurhash: string | null;
}

/** A picture that stands for a file: its place and what the attachment tells of it. */
export interface Thumbnail {
  preview: string;
  blurhash: string;
  small: NonNullable<MediaMeta['small']>;
  colors: NonNullable<MediaMeta['colors']>;
}

/** Makes uploads fit to be shown and stores what it makes. Files are named by their path, media by their id. */
export interface MediaProcessor {
  /**
   * Images are rendered at once. Of videos, sounds and animations only the preview, unless `whole`; then `source` is the
   * key of the stored upload, for `finish`.
   * @throws RookeryError `invalid` for what is not supported, too large or broken; `unavailable` when too many wait
   */
  take(
    path: string,
    options: { id: string; whole: boolean },
  ): Promise<{ media: RenderedMedia; source: string | null }>;
  /** Renders what `take` left, from its source; the signal ends it. @throws RookeryError `invalid` when it cannot be shown */
  finish(source: string, options: { id: string; signal: AbortSignal }): Promise<RenderedMedia>;
  /** Makes a preview of a picture that somebody chose. @throws RookeryError as `take` */
  thumbnail(path: string, options: { id: string }): Promise<Thumbnail>;
}

/** Work that is done later, by a process that has the role for it, also after a crash. */
export interface Jobs {
  /**
   * Stores a job. One that has the same name and key and still waits is the same job. Its handler may run twice, so it
   * must not mind. `after`: seconds that it waits at least.
   */
  enqueue(name: string, data: JsonObject, options?: { singletonKey?: string; after?: number }): Promise<void>;
  /** How many jobs of a name wait. */
  waiting(name: string): Promise<number>;
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
  /** The banner of this server: `twice` is for dense screens. @throws RookeryError as `processProfileImage` */
  processBanner(file: Buffer): Promise<{ once: ProcessedImage; twice: ProcessedImage; blurhash: string }>;
  /** The icon of this server; `size` in pixels each way. @throws RookeryError as `processProfileImage` */
  processIcon(file: Buffer): Promise<{ size: number; image: ProcessedImage }[]>;
}

/** Requests to other people's servers; only hosts of the Internet are reached, and those the operator allows. */
export interface HttpClient {
  /**
   * Any status is a response. Redirects are followed for GET and HEAD.
   * @throws FetchError (`src/net/errors.ts`): an Error with a `code` of `FetchFailure`
   */
  fetch(url: string, request?: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  method?: 'GET' | 'HEAD' | 'POST';
  /** The same for each step, or made for each: a signature covers host and path. */
  headers?:
    | Readonly<Record<string, string>>
    | ((url: URL) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  body?: string | Buffer;
  /** Milliseconds for the whole exchange, redirects and body included; 10,000 unless given. */
  deadline?: number;
  /** Of the body, decompressed; 1 MiB unless given. */
  maxBytes?: number;
  /** Keep what fits of a larger body instead of failing. */
  truncate?: boolean;
  /** 5 unless given. */
  maxRedirects?: number;
  /** Asked with the `Content-Type` of a 2xx reply, before its body is read. */
  accepts?: (contentType: string) => boolean;
  signal?: AbortSignal;
}

export interface HttpResponse {
  /** Where it came from in the end. */
  url: string;
  status: number;
  /** Names in lower case; cookies left out. */
  headers: Record<string, string>;
  body: Buffer;
}

export type FetchFailure =
  | 'bad_url'
  | 'forbidden_address'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'unexpected_type'
  | 'cancelled';

/** A device that end-to-end encrypted messages can be sent to. Keys are base64. */
export interface CryptoDevice {
  device_id: string;
  name: string;
  identity_key: string;
  fingerprint_key: string;
}

/** For the first message to a device. `signature` is the fingerprint key's, over the text of the key. */
export interface OneTimeKey {
  key_id: string;
  key: string;
  signature: string;
}

export interface ClaimedKey extends OneTimeKey {
  account_id: string;
  device_id: string;
}

/** A message that only the device can read; `hmac` is its digest. */
export interface EncryptedMessage {
  account_id: string;
  device_id: string;
  type: number;
  body: string;
  hmac: string;
}

/** End-to-end encrypted mail in transit: durable, never in the log. A device belongs to one access token. */
export interface EncryptedMail {
  /**
   * Stores the token's device, if given, and keys for it. Other keys or another id make it a new device, without what was
   * waiting for the old one. @throws RookeryError `not_found` without a device, `invalid` when there are too many keys
   */
  upload(
    owner: { tokenId: string; accountId: string },
    device: CryptoDevice | undefined,
    keys: readonly OneTimeKey[],
  ): Promise<CryptoDevice>;
  /** Takes a key of each device, each key once; devices that are unknown or have none left are passed over. */
  claim(devices: readonly { account_id: string; device_id: string }[]): Promise<ClaimedKey[]>;
  /** All or none. @throws RookeryError `not_found` for an unknown device, `invalid` when one has too many waiting */
  deliver(
    sender: { tokenId: string; accountId: string; now: string },
    messages: readonly EncryptedMessage[],
  ): Promise<void>;
  /** Removes the messages up to an id, inclusive. @throws RookeryError `not_found` without a device */
  clear(tokenId: string, upToId: string): Promise<void>;
}

/** Who may cause a push: everybody, whom the subscriber follows, who follows the subscriber, nobody. */
export type PushPolicy = 'all' | 'followed' | 'follower' | 'none';

/** What an app asks for. Keys are base64url: a point of P-256 and 16 bytes. */
export interface NewPushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** By RFC 8291 and 8292; else by their drafts, as Mastodon did before 4.4. */
  standard: boolean;
  /** Types of notifications. */
  alerts: readonly string[];
  policy: PushPolicy;
  /** The token in clear text, for apps that choose the account by it; null for those that do not. */
  bearer: string | null;
}

/** Where to push notifications: durable, never in the log. A token has one subscription at most, which goes with it. */
export interface PushSubscriptions {
  /** True where nobody is subscribed, as far as this process has heard: then nothing needs to be looked up. */
  readonly none: boolean;
  /** In place of the token's earlier one, and of others of the account at the same endpoint. */
  create(owner: { tokenId: string; accountId: string }, subscription: NewPushSubscription): Promise<void>;
  /** Replaces what is given. @throws RookeryError `not_found` without a subscription */
  change(tokenId: string, data: { alerts?: readonly string[]; policy?: PushPolicy }): Promise<void>;
  remove(tokenId: string): Promise<void>;
  /** Remembers what became of a notification; subscriptions by id. Those that fail too often are removed. */
  record(
    notificationId: string,
    outcome: { sent: readonly string[]; gone: readonly string[]; failed: readonly string[] },
  ): Promise<void>;
}

/** A subscription as its messages are encrypted for it; `secrets` as stored. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  secrets: Buffer;
  standard: boolean;
}

/** What an app shows of a notification. */
export interface PushMessage {
  notification_id: string;
  notification_type: string;
  preferred_locale: string;
  /** A URL. */
  icon: string;
  title: string;
  body: string;
}

/** `gone`: the subscription ended; `refused`: it would be again; `failed`: it may work later. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'failed';

export interface PushSender {
  send(target: PushTarget, message: PushMessage, signal: AbortSignal): Promise<PushOutcome>;
}
