import type { IncomingMessage } from 'node:http';
import type { Instance } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import type { Caller } from '../oauth/authenticate.ts';
import { type Sessions, sessionToken } from '../oauth/sessions.ts';
import { findUser } from '../oauth/users.ts';

export type PageSessions = Pick<Sessions, 'of' | 'accountOf'>;

/** A page shows one timeline, and counts notifications. */
const MAX_STREAMS = 3;

/**
 * Returns true for a request by a page of another origin. Browsers send its cookie only within the site, but
 * neighbours on other subdomains are within it.
 */
export function isCrossSite({ headers }: IncomingMessage, { origin }: Instance): boolean {
  const from = headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin') return true;
  return headers.origin !== undefined && headers.origin !== origin;
}

/** Returns the user of a session; undefined once it has ended, or the user is erased. */
export async function sessionCaller(db: Db, sessions: PageSessions, id: string): Promise<Caller | undefined> {
  const accountId = await sessions.accountOf(id);
  const viewer = accountId === undefined ? undefined : await findUser(db, accountId);
  return viewer && { token: sessionToken({ id }, viewer), viewer };
}

/**
 * Returns the names of the streams that a page asks for: `stream=public,user:notification`. @throws
 * RookeryError `bad_request`
 */
export function streamsOf({ stream }: Record<string, unknown>): string[] {
  const names = typeof stream === 'string' ? [...new Set(stream.split(','))] : [];
  if (names.length === 0 || names.length > MAX_STREAMS) {
    throw new RookeryError('bad_request', 'Unknown stream type');
  }
  return names;
}
