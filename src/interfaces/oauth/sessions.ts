import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AccessToken, Viewer } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { readCookie } from '../http/cookies.ts';
import { AUTH_CHANNEL, type AuthChange } from './auth-changes.ts';
import { Devices } from './devices.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { SessionCache } from './session-cache.ts';
import { type Users, VIEWER_COLUMNS } from './users.ts';

/** Seconds that a browser stays signed in. */
const LIFETIME = 14 * 24 * 3_600;
/** Seconds that a browser is known after its last sign-in. */
const DEVICE_LIFETIME = 365 * 24 * 3_600;
/** Seconds between the password and the code of the second step. */
const STEP_LIFETIME = 5 * 60;

/** Seconds since 1970. */
const SINCE = 'extract(epoch from c.changed_at)::text';
const PASSWORD_SINCE = `(select ${SINCE} from durable.credentials c where c.account_id = sessions.account_id) as since`;
const SINCE_OF = statement<{ since: string }>(
  'password_since',
  `select ${SINCE} as since from durable.credentials c where c.account_id = $1`,
);
const CREATE = statement<SignedInRow>(
  'session_create',
  `with stale as (delete from durable.sessions where expires_at < now())
   insert into durable.sessions (session_hash, account_id, expires_at)
   values ($1, $2, now() + make_interval(secs => $3)) returning account_id, ${PASSWORD_SINCE}`,
);
const FIND = statement<{ account_id: string }>(
  'session_find',
  'select account_id from durable.sessions where session_hash = $1 and expires_at > now()',
);
const FIND_VIEWER = statement<VisitRow>(
  'session_viewer',
  `select s.account_id as session_account_id, ${VIEWER_COLUMNS}
   from durable.sessions s
   left join users u on u.account_id = s.account_id
   left join accounts a on a.id = u.account_id
   where s.session_hash = $1 and s.expires_at > now()`,
);
const OF_ACCOUNT = statement<SignedInBrowser>(
  'sessions_of_account',
  `select session_hash = $2 as here, to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
   from durable.sessions where account_id = $1 and expires_at > now()
   order by here desc, created_at desc limit $3`,
);
/** The end of a session ends its streams, in every process. */
const NOTIFY_ENDED = `select pg_notify('${AUTH_CHANNEL}', account_id::text) from ended limit 1`;
const END_OTHERS = statement(
  'sessions_end_others',
  `with steps as (delete from durable.sign_in_steps where account_id = $1),
     ended as (delete from durable.sessions where account_id = $1 and session_hash <> $2 returning account_id)
   ${NOTIFY_ENDED}`,
);
const END = statement(
  'session_end',
  `with step as (delete from durable.sign_in_steps where session_hash = $1),
     ended as (delete from durable.sessions where session_hash = $1 returning account_id)
   ${NOTIFY_ENDED}`,
);
const BEGIN_STEP = statement(
  'sign_in_step_begin',
  `with stale as (delete from durable.sign_in_steps where expires_at < now())
   insert into durable.sign_in_steps (session_hash, account_id, expires_at)
   values ($1, $2, now() + make_interval(secs => $3))`,
);
const FIND_STEP = statement<{ account_id: string }>(
  'sign_in_step_find',
  'select account_id from durable.sign_in_steps where session_hash = $1 and expires_at > now()',
);
/** One statement: a concurrent end of all sessions of the account waits for it, and finds the session. */
const FINISH_STEP = statement<SignedInRow>(
  'sign_in_step_finish',
  `with step as (
     delete from durable.sign_in_steps where session_hash = $1 and expires_at > now() returning account_id
   )
   insert into durable.sessions (session_hash, account_id, expires_at)
   select $2, account_id, now() + make_interval(secs => $3) from step returning account_id, ${PASSWORD_SINCE}`,
);

/** A signed-in browser, without its secret. `since` is ISO 8601. */
export interface SignedInBrowser {
  here: boolean;
  since: string;
}

/** A browser: the value of its cookie, and its signed-in account. */
export interface Session {
  id: string;
  accountId: string | undefined;
  /** The cookie of `Devices`, as the browser sent it. */
  device?: string | undefined;
  /** Set when the browser needs new cookies. */
  setCookies?: readonly string[];
}

/** The account that is signed in, and its user, who is absent once it is erased. */
interface Signed {
  accountId: string | undefined;
  viewer: Viewer | undefined;
}

type VisitRow = { session_account_id: string } & (Viewer | { [Key in keyof Viewer]: null });

/** `secret` signs CSRF tokens: at least 32 bytes, the same in all processes. */
interface SessionOptions {
  secret: Buffer;
  https: boolean;
  /** Finds the user of a session while the read models of users are halted. */
  users?: Pick<Users, 'byId'>;
}

export const createSessions = (db: Db, options: SessionOptions): Sessions => new Sessions(db, options);

/**
 * The sign-in sessions of browsers. A browser without a signed-in user has an id too, which is not stored:
 * CSRF tokens are bound to it. Signing in creates a new id, so that an attacker cannot plant one.
 */
export class Sessions {
  readonly #db: Db;
  readonly #secret: KeyObject;
  readonly #devices: Devices;
  readonly #https: boolean;
  readonly #users: Pick<Users, 'byId'> | undefined;
  readonly #cache = new SessionCache();

  constructor(db: Db, { secret, https, users }: SessionOptions) {
    this.#db = db;
    this.#users = users;
    this.#secret = createSecretKey(secret);
    this.#devices = new Devices(this.#secret);
    this.#https = https;
  }

  /** Drops what is remembered of users whom a change may affect. */
  changed(change: AuthChange): void {
    this.#cache.changed(change);
  }

  async of(req: IncomingMessage): Promise<Session> {
    const { id, device } = this.#cookiesOf(req);
    return isSessionId(id) ? { id, accountId: await this.accountOf(id), device } : this.#anonymous(device);
  }

  /** Returns the session of a request with its user, who is absent once the account is erased. */
  async visitOf(req: IncomingMessage): Promise<{ session: Session; viewer: Viewer | undefined }> {
    const { id, device } = this.#cookiesOf(req);
    if (!isSessionId(id)) return { session: this.#anonymous(device), viewer: undefined };
    const known = this.#cache.get(keyOf(id));
    if (known) return { session: { id, accountId: known.account_id, device }, viewer: known };
    const found = await unlessHalted(
      () => this.#find(id),
      (halted) => {
        if (!this.#users) throw halted;
        return this.#findInLog(id, this.#users);
      },
    );
    return { session: { id, accountId: found.accountId, device }, viewer: found.viewer };
  }

  async #find(id: string): Promise<Signed> {
    let accountId: string | undefined;
    const viewer = await this.#cache.load(keyOf(id), async () => {
      const [row] = await this.#db.query(FIND_VIEWER, [hashSecret(id)]);
      if (!row) return undefined;
      const { session_account_id, ...found } = row;
      accountId = session_account_id;
      return found.username === null ? undefined : found;
    });
    return { accountId, viewer };
  }

  /** Remembers nothing, because a halted read model announces no changes. */
  async #findInLog(id: string, users: Pick<Users, 'byId'>): Promise<Signed> {
    const accountId = await this.accountOf(id);
    return { accountId, viewer: accountId === undefined ? undefined : await users.byId(accountId) };
  }

  /** Returns the account that is signed in by a session; undefined once it has ended. */
  async accountOf(id: string): Promise<string | undefined> {
    const [row] = await this.#db.query(FIND, [hashSecret(id)]);
    return row?.account_id;
  }

  async signIn(old: Session, accountId: string): Promise<Session> {
    const id = newSecret();
    await this.#end(old);
    const [row] = await this.#db.query(CREATE, [hashSecret(id), accountId, LIFETIME]);
    return this.#signedIn(old, id, row ?? { account_id: accountId, since: null });
  }

  /** Begins the second step after the right password. The user is not signed in until it is finished. */
  async beginSecondStep(old: Session, accountId: string): Promise<Session> {
    const id = newSecret();
    await this.#end(old);
    await this.#db.query(BEGIN_STEP, [hashSecret(id), accountId, STEP_LIFETIME]);
    return { ...old, id, accountId: undefined, setCookies: [this.#cookie(id)] };
  }

  /**
   * Returns the account whose code is due; undefined after five minutes, and when the account's sessions
   * have ended.
   */
  async awaitingCode({ id }: Session): Promise<string | undefined> {
    const [row] = await this.#db.query(FIND_STEP, [hashSecret(id)]);
    return row?.account_id;
  }

  /** Signs in the account whose code is due; undefined when `awaitingCode` returns undefined. */
  async finishSecondStep(old: Session): Promise<Session | undefined> {
    const id = newSecret();
    const values = [hashSecret(old.id), hashSecret(id), LIFETIME];
    const [row] = await this.#db.query(FINISH_STEP, values);
    return row && this.#signedIn(old, id, row);
  }

  /** Returns the key that counts the attempts of a browser that signed in to the account before. */
  async deviceKey({ device }: Session, accountId: string): Promise<string | undefined> {
    if (device === undefined) return undefined;
    const [row] = await this.#db.query(SINCE_OF, [accountId]);
    return row && this.#devices.keyOf(device, { accountId, since: row.since });
  }

  #signedIn(old: Session, id: string, { account_id: accountId, since }: SignedInRow): Session {
    const cookie = this.#cookie(id, LIFETIME);
    if (since === null) return { id, accountId, setCookies: [cookie] };
    const device = this.#devices.remember(old.device, { accountId, since });
    const remembering = setCookie(this.#deviceName, device, { https: this.#https, maxAge: DEVICE_LIFETIME });
    return { id, accountId, device, setCookies: [cookie, remembering] };
  }

  async signOut(old: Session): Promise<Session> {
    await this.#end(old);
    return this.#anonymous(old.device);
  }

  /** Returns the browsers in which the user of a session is signed in, at most `limit`, this browser first. */
  signedInBrowsers(session: Session, limit: number): Promise<SignedInBrowser[]> {
    return this.#db.query(OF_ACCOUNT, [session.accountId, hashSecret(session.id), limit]);
  }

  /** Signs the user of a session out everywhere else. Apps stay. */
  async signOutOthers(session: Session): Promise<void> {
    await this.#db.query(END_OTHERS, [session.accountId, hashSecret(session.id)]);
    if (session.accountId !== undefined) this.#cache.changed({ accountId: session.accountId });
  }

  async #end({ id }: Session): Promise<void> {
    await this.#db.query(END, [hashSecret(id)]);
    this.#cache.drop(keyOf(id));
  }

  /**
   * Returns a token for the forms of a page. It is masked anew each time: pages are compressed, so their size would
   * tell a constant token, byte by byte (BREACH).
   */
  csrfToken({ id }: Session): string {
    const mask = randomBytes(CSRF_BYTES);
    return Buffer.concat([mask, xor(mask, this.#csrfOf(id))]).toString('base64url');
  }

  isCsrfToken({ id }: Session, token: string): boolean {
    const given = Buffer.from(token, 'base64url');
    if (given.length !== 2 * CSRF_BYTES) return false;
    const masked = given.subarray(CSRF_BYTES);
    return timingSafeEqual(xor(given.subarray(0, CSRF_BYTES), masked), this.#csrfOf(id));
  }

  #csrfOf(id: string): Buffer {
    return createHmac('sha256', this.#secret).update(`oauth-form\0${id}`).digest();
  }

  #anonymous(device?: string): Session {
    const id = newSecret();
    return { id, accountId: undefined, device, setCookies: [this.#cookie(id)] };
  }

  #cookiesOf({ headers }: IncomingMessage): { id: string | undefined; device: string | undefined } {
    return {
      id: readCookie(headers.cookie, this.#cookieName),
      device: readCookie(headers.cookie, this.#deviceName),
    };
  }

  get #cookieName(): string {
    return this.#https ? '__Host-rookery_session' : 'rookery_session';
  }

  get #deviceName(): string {
    return this.#https ? '__Host-rookery_device' : 'rookery_device';
  }

  #cookie(id: string, maxAge?: number): string {
    return setCookie(this.#cookieName, id, { https: this.#https, maxAge });
  }
}

/** `maxAge` is in seconds; without it the cookie ends with the browser. */
const setCookie = (
  name: string,
  value: string,
  how: { https: boolean; maxAge: number | undefined },
): string =>
  [
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`,
    ...(how.https ? ['Secure'] : []),
    ...(how.maxAge === undefined ? [] : [`Max-Age=${how.maxAge}`]),
  ].join('; ');

/** `since` is null for an account without a password. */
interface SignedInRow {
  account_id: string;
  since: string | null;
}

/** The rights of a signed-in browser on the pages of this server. */
const SESSION_SCOPES = ['read', 'write', 'follow', 'push', 'admin:read', 'admin:write'] as const;

/** Returns what stands for a token when a page of a signed-in browser calls an endpoint. */
export const sessionToken = (
  { id }: Pick<Session, 'id'>,
  { account_id }: Viewer,
): AccessToken & { account_id: Id } => ({
  id: `session:${hashSecret(id).toString('base64url')}`,
  application_id: null,
  account_id,
  scopes: SESSION_SCOPES,
});

/** Returns true for a browser that may be signed in. */
export const hasSession = (cookies: string | undefined): boolean =>
  cookies?.includes('rookery_session=') === true;

/** The length of a SHA-256 HMAC. */
const CSRF_BYTES = 32;

const xor = (mask: Buffer, bytes: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)));

const keyOf = (id: string): string => hashSecret(id).toString('base64');

const isSessionId = (value: string | undefined): value is string =>
  value !== undefined && /^[\w-]{43}$/.test(value);
