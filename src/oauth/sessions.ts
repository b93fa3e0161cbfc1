import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { statement, type Db } from '../kernel/read.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** Seconds that a browser stays signed in. */
const LIFETIME = 14 * 24 * 3_600;

const CREATE = statement(
  'session_create',
  `with stale as (delete from durable.sessions where expires_at < now())
   insert into durable.sessions (session_hash, account_id, expires_at)
   values ($1, $2, now() + make_interval(secs => $3))`,
);
const FIND = statement(
  'session_find',
  'select account_id from durable.sessions where session_hash = $1 and expires_at > now()',
);
const END = statement('session_end', 'delete from durable.sessions where session_hash = $1');

/** A browser: the value of its cookie, and who is signed in there. */
export interface Session {
  id: string;
  accountId: string | undefined;
  /** Set when the browser has to be told the id. */
  setCookie?: string;
}

/**
 * The sign-in sessions of browsers. A browser that nobody signed in has an id too, which is stored nowhere: CSRF tokens are
 * bound to it. Signing in draws a new id, so that a planted one is worth nothing. `secret` signs CSRF tokens: at least 32 bytes,
 * the same in all processes.
 */
export function createSessions(db: Db, options: { secret: Buffer; https: boolean }) {
  const name = options.https ? '__Host-rookery_session' : 'rookery_session';
  const cookie = (id: string, maxAge?: number): string =>
    [
      `${name}=${id}; Path=/; HttpOnly; SameSite=Lax`,
      ...(options.https ? ['Secure'] : []),
      ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ].join('; ');
  const anonymous = (): Session => {
    const id = newSecret();
    return { id, accountId: undefined, setCookie: cookie(id) };
  };
  const csrfToken = ({ id }: Session): string =>
    createHmac('sha256', options.secret).update(`oauth-form\0${id}`).digest('base64url');

  return {
    async of(req: IncomingMessage): Promise<Session> {
      const id = readCookie(req.headers.cookie, name);
      if (id === undefined) return anonymous();
      const [row] = await db.query<{ account_id: string }>(FIND, [hashSecret(id)]);
      return { id, accountId: row?.account_id };
    },
    async signIn(old: Session, accountId: string): Promise<Session> {
      const id = newSecret();
      await db.query(END, [hashSecret(old.id)]);
      await db.query(CREATE, [hashSecret(id), accountId, LIFETIME]);
      return { id, accountId, setCookie: cookie(id, LIFETIME) };
    },
    async signOut(old: Session): Promise<Session> {
      await db.query(END, [hashSecret(old.id)]);
      return anonymous();
    },
    /** Goes into every form of this browser. */
    csrfToken,
    isCsrfToken(session: Session, token: string): boolean {
      const [given, expected] = [Buffer.from(token), Buffer.from(csrfToken(session))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}
