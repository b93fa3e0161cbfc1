import type { Instance } from '#kernel/context.ts';
import { ownPath } from './own-path.ts';
import type { WebRequest } from './page.ts';

/*
 * Remembers the path of a user who must open a mailed link first, because they forgot the password or are
 * new: usually at the request of an app. The mail does not contain the path, because strangers can trigger
 * mails; the browser that requested the mail keeps it.
 */

const NAME = 'rookery_way_back';
/** Seconds; as long as the links in the mails are valid. */
const LIFETIME = 48 * 3_600;
/** The maximum length of the cookie; browsers accept no larger ones. */
const MAX_LENGTH = 3_800;

/** Returns the cookie that remembers a local path; undefined without one. */
export function rememberReturnPath(path: string | undefined, { origin }: Instance): string | undefined {
  const value = path === undefined ? '' : Buffer.from(path).toString('base64url');
  if (value.length > MAX_LENGTH) return undefined;
  return [
    `${NAME}=${value}; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${value === '' ? 0 : LIFETIME}`,
    ...(origin.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');
}

/** Returns the path that this browser remembers. */
export const returnPathOf = ({ cookie }: WebRequest): string | undefined =>
  ownPath(Buffer.from(cookie(NAME) ?? '', 'base64url').toString());
