import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AccessToken, Viewer } from '#kernel/context.ts';
import type { Notifications } from '#kernel/listening.ts';
import { atMost } from '#kernel/lru.ts';
import { type Db, despite, type Statement, statement } from '#kernel/read.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { AUTH_CHANNEL, type AuthChange, readAuthChange } from './auth-changes.ts';
import { grantedToken, type TokenDigests } from './token-digest.ts';
import type { Users } from './users.ts';

/** The sender of a request. */
export interface Caller {
  token: AccessToken;
  /** Absent for an application's own token. The caller of `authenticate` decides whether the user may act. */
  viewer: Viewer | undefined;
}

export interface Authenticator {
  /** Returns undefined when the token is unknown or revoked, or its user is erased. */
  authenticate(bearer: string): Promise<Caller | undefined>;
  /** Returns true if a token was revoked, and its user was not erased since. */
  wasRevoked(bearer: string): Promise<boolean>;
  /** Drops the cached callers of an account, or all. */
  invalidate(accountId?: string): void;
  /** Drops the cached callers that a notification on the channel `rookery_auth` names. */
  changed: (change: string) => void;
  /**
   * Calls back when a cached caller may be outdated, after it was dropped: for code that serves a caller for
   * longer than a request. While notifications are unavailable, everything counts as changed.
   */
  watch(onChange: (change: AuthChange) => void): void;
}

export interface AuthenticatorOptions {
  /** Receives changes by other processes; without it, only `ttlMs` bounds how long they take. */
  notifications?: Notifications;
  /** The maximum number of cached callers. */
  max?: number;
  /** Milliseconds that a caller is cached: the bound if a notification is lost. */
  ttlMs?: number;
  /** Called with the id of a token that was changed in the database, which is not accepted. */
  onChangedToken?: (tokenId: string) => void;
  /** Finds the user of a token while the read models of users are halted. */
  users?: Pick<Users, 'byId'>;
}

/** The read models whose rows of an earlier time suffice: applications never change. */
const DESPITE = ['applications'];
const FIND = despite(
  DESPITE,
  statement<Row>(
    'authenticate',
    `select t.id, t.application_id, p.name as application_name, t.account_id, t.scopes, t.grant_digest, a.username,
     u.role, u.confirmed, u.approved, u.disabled, u.suspended, u.moved
   from durable.access_tokens t
   left join users u on u.account_id = t.account_id
   left join accounts a on a.id = t.account_id
   left join applications p on p.id = t.application_id
   where t.token_hash = $1 and t.revoked_at is null`,
  ),
);
const FIND_TOKEN = despite(
  DESPITE,
  statement<TokenRow>(
    'authenticate_token',
    `select t.id, t.application_id, p.name as application_name, t.account_id, t.scopes, t.grant_digest
   from durable.access_tokens t left join applications p on p.id = t.application_id
   where t.token_hash = $1 and t.revoked_at is null`,
  ),
);
const REVOKED = statement(
  'token_was_revoked',
  'select 1 from durable.access_tokens where token_hash = $1 and revoked_at is not null',
);
/** Real tokens are much shorter. */
const MAX_BEARER_LENGTH = 512;

/**
 * Identifies the sender of a token. Runs on every request: a cached caller costs one SHA-256 and no SQL.
 * Resolves once it listens for changes.
 */
export async function createAuthenticator(
  db: Db,
  digests: TokenDigests,
  { notifications, max = 10_000, ttlMs = 30_000, onChangedToken, users }: AuthenticatorOptions = {},
): Promise<Authenticator> {
  const callers = new CallerCache(max, ttlMs);
  const loading = new Map<string, Promise<Caller | undefined>>();
  const watchers: ((change: AuthChange) => void)[] = [];
  let changes = 0;

  const forget = (what: AuthChange): void => {
    changes += 1;
    loading.clear();
    if (what === 'everything') callers.clear();
    else if ('accountId' in what) callers.deleteAccount(what.accountId);
    else callers.delete(what.tokenHash);
    for (const watcher of watchers) watcher(what);
  };

  const find = callerFinder(db, digests, { onChangedToken, users });
  const load = async (key: string): Promise<Caller | undefined> => {
    const seen = changes;
    const { caller, mayKeep } = await find(Buffer.from(key, 'base64'));
    // A row read before a change may be outdated.
    if (caller && mayKeep && seen === changes) callers.set(key, caller);
    return caller;
  };

  const changed = (change: string): void => forget(readAuthChange(change));
  await notifications?.subscribe({
    channel: AUTH_CHANNEL,
    onNotification: changed,
    onConnected: () => forget('everything'),
    onDisconnected: () => forget('everything'),
  });

  return {
    async authenticate(bearer) {
      if (bearer.length > MAX_BEARER_LENGTH) return undefined;
      const key = hash('sha256', bearer, 'base64');
      const known = callers.get(key);
      if (known && mayAct(known)) return known;
      const pending = loading.get(key);
      if (pending) return pending;
      const loaded = load(key).finally(() => {
        if (loading.get(key) === loaded) loading.delete(key);
      });
      loading.set(key, loaded);
      return loaded;
    },
    async wasRevoked(bearer) {
      if (bearer.length > MAX_BEARER_LENGTH) return false;
      return (await db.query(REVOKED, [hash('sha256', bearer, 'buffer')])).length > 0;
    },
    invalidate: (accountId) => forget(accountId === undefined ? 'everything' : { accountId }),
    changed,
    watch: (onChange) => void watchers.push(onChange),
  };
}

/** A halted read model announces no changes, so a caller that is found without it is not kept. */
interface Found {
  caller: Caller | undefined;
  mayKeep: boolean;
}

/** Returns a function that finds the sender of a token: by the tables, and by the log while these are halted. */
function callerFinder(
  db: Db,
  digests: TokenDigests,
  { onChangedToken, users }: { [Key in 'onChangedToken' | 'users']: AuthenticatorOptions[Key] | undefined },
): (tokenHash: Buffer) => Promise<Found> {
  const find = tokenFinder(db, digests, onChangedToken);
  const inTables = async (tokenHash: Buffer): Promise<Found> => {
    const row = await find(FIND, tokenHash);
    return { caller: row && toCaller(row), mayKeep: true };
  };
  const inLog = async (tokenHash: Buffer, known: Pick<Users, 'byId'>): Promise<Found> => {
    const row = await find(FIND_TOKEN, tokenHash);
    const viewer = row?.account_id == null ? undefined : await known.byId(row.account_id);
    return { caller: row && callerOf(row, viewer), mayKeep: false };
  };
  return (tokenHash) =>
    unlessHalted(
      () => inTables(tokenHash),
      (halted) => {
        if (!users) throw halted;
        return inLog(tokenHash, users);
      },
    );
}

/** Returns a function that reads a token; undefined for one that is unknown, revoked, or not as granted. */
const tokenFinder =
  (db: Db, digests: TokenDigests, onChangedToken: AuthenticatorOptions['onChangedToken']) =>
  async <R extends TokenRow>(find: Statement<R>, tokenHash: Buffer): Promise<R | undefined> => {
    const [row] = await db.query(find, [tokenHash]);
    if (!row || digests.holds(grantedToken({ ...row, token_hash: tokenHash }), row.grant_digest)) return row;
    onChangedToken?.(row.id);
    return undefined;
  };

/** Users who may not act are looked up each time, so a confirmation or approval takes effect immediately. */
const mayAct = ({ viewer }: Caller): boolean =>
  !viewer || (viewer.confirmed && viewer.approved && !viewer.disabled && !viewer.suspended && !viewer.moved);

/** Callers by the hash of their token, and the hashes of each account. */
class CallerCache {
  readonly #callers: LRUCache<string, Caller>;
  readonly #keysOf = new Map<string, Set<string>>();

  constructor(max: number, ttl: number) {
    this.#callers = new LRUCache({
      ...atMost(max),
      ttl,
      dispose: (caller, key) => this.#disposed(caller, key),
    });
  }

  get(key: string): Caller | undefined {
    return this.#callers.get(key);
  }

  set(key: string, caller: Caller): void {
    this.#callers.set(key, caller);
    const accountId = caller.token.account_id;
    if (accountId === undefined) return;
    const keys = this.#keysOf.get(accountId);
    if (keys) keys.add(key);
    else this.#keysOf.set(accountId, new Set([key]));
  }

  delete(key: string): void {
    this.#callers.delete(key);
  }

  deleteAccount(accountId: string): void {
    for (const key of [...(this.#keysOf.get(accountId) ?? [])]) this.#callers.delete(key);
  }

  clear(): void {
    this.#callers.clear();
  }

  #disposed({ token: { account_id: accountId } }: Caller, key: string): void {
    if (accountId === undefined) return;
    const keys = this.#keysOf.get(accountId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(accountId);
  }
}

interface TokenRow {
  id: string;
  application_id: string;
  application_name: string | null;
  account_id: string | null;
  scopes: string;
  grant_digest: Buffer | null;
}

interface Row extends TokenRow {
  username: string | null;
  role: string | null;
  confirmed: boolean | null;
  approved: boolean;
  disabled: boolean;
  suspended: boolean;
  moved: boolean;
}

function toCaller(row: Row): Caller | undefined {
  const { account_id, username, role, confirmed, approved, disabled, suspended, moved } = row;
  if (account_id === null || username === null || confirmed === null) return callerOf(row, undefined);
  return callerOf(row, { account_id, username, role, confirmed, approved, disabled, suspended, moved });
}

/** Returns undefined for the token of a user who does not exist any more. */
function callerOf(row: TokenRow, viewer: Viewer | undefined): Caller | undefined {
  const { id, application_id, application_name, account_id } = row;
  const scopes = scopesOf(row.scopes);
  const token = { id, application_id, application_name: application_name ?? undefined, scopes };
  if (account_id === null) return { token, viewer: undefined };
  return viewer && { token: { ...token, account_id }, viewer };
}

/** Equal texts give the same array, so that its scopes are evaluated once (`holds`). */
const scopeArrays = new LRUCache<string, readonly string[]>(atMost(1_000));

function scopesOf(text: string): readonly string[] {
  const known = scopeArrays.get(text);
  if (known) return known;
  const scopes = Object.freeze(text.split(' ').filter(Boolean));
  scopeArrays.set(text, scopes);
  return scopes;
}
