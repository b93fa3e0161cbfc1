import type { Instance } from '../../../kernel/context.ts';
import { ownPath } from './own-path.ts';
import type { SettingsRequest } from './page.ts';

/*
 * Where somebody was who has to open a link in a mail first, since he forgot his password or is new here: mostly at the request of an
 * app. The mail does not tell, since anybody can have one sent; the browser that asked for it remembers.
 */

const NAME = 'rookery_way_back';
/** Seconds; as long as the links in the mails work. */
const LIFETIME = 48 * 3_600;
/** Of the cookie; browsers keep no larger ones. */
const MAX_LENGTH = 3_800;

/** The cookie that remembers a path of ours; undefined where there is none to remember. */
export function rememberReturnPath(path: string | undefined, { origin }: Instance): string | undefined {
  const value = path === undefined ? '' : Buffer.from(path).toString('base64url');
  if (value.length > MAX_LENGTH) return undefined;
  return [
    `${NAME}=${value}; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${value === '' ? 0 : LIFETIME}`,
    ...(origin.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');
}

/** What this browser remembers. */
export const returnPathOf = ({ cookie }: SettingsRequest): string | undefined =>
  ownPath(Buffer.from(cookie(NAME) ?? '', 'base64url').toString());
