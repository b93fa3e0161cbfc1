import type { AccessToken, Instance, Viewer } from '#kernel/context.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { badToken, forbidden, scopeMissing, unauthorized, userNeeded } from '#kernel/errors.ts';
import { mayDo } from '#mastodon/permissions.ts';

/** The authenticated sender of a request. */
export interface Authenticated {
  token: AccessToken;
  viewer: Viewer | undefined;
}

export interface CallerDependencies {
  authenticate: (bearer: string) => Promise<Authenticated | undefined>;
  /** Returns true if a refused token was revoked. */
  wasRevoked: (bearer: string) => Promise<boolean>;
  holds: (granted: readonly string[], required: string) => boolean;
  instance: Instance;
}

/** For limited federation: https://docs.joinmastodon.org/entities/Error/#auth */
const SECURE_MODE = 'This API requires an authenticated user';

const isForUsers = (
  { openInLimitedMode }: Pick<Endpoint, 'openInLimitedMode'>,
  { limitedFederation }: Instance,
): boolean => limitedFederation && openInLimitedMode !== true;

const isOpen = ({ auth }: Pick<Endpoint, 'auth'>): boolean => auth === 'public' || auth === 'optional';

/**
 * Mastodon checks the permission or the user before the token, when an endpoint needs no scope or has a
 * permission.
 */
function strangerRefused({ auth, scopes, permission }: Pick<Endpoint, 'auth' | 'scopes' | 'permission'>) {
  if (permission) return forbidden();
  return auth === 'user' && scopes.length === 0 ? userNeeded() : badToken();
}

/**
 * Admits a request without a token to an open endpoint. @throws RookeryError `unauthorized`, `forbidden`,
 * `invalid`
 */
export function admitStranger(
  endpoint: Pick<Endpoint, 'auth' | 'scopes' | 'permission' | 'openInLimitedMode'>,
  instance: Instance,
): void {
  if (!isOpen(endpoint)) throw strangerRefused(endpoint);
  if (isForUsers(endpoint, instance)) throw unauthorized(SECURE_MODE);
}

/**
 * Returns undefined without a token, and for an invalid token where the endpoint is open, as in Mastodon.
 * @throws RookeryError `unauthorized`
 */
export async function authenticate(
  endpoint: Endpoint,
  sentBearer: () => Promise<string | undefined>,
  dependencies: CallerDependencies,
): Promise<Authenticated | undefined> {
  const usersOnly = isForUsers(endpoint, dependencies.instance);
  if (endpoint.auth === 'public' && !usersOnly) return undefined;
  const bearer = await sentBearer();
  const caller = bearer === undefined ? undefined : await dependencies.authenticate(bearer);
  if (!caller) {
    if (bearer !== undefined && !isOpen(endpoint)) {
      throw badToken({ revoked: await dependencies.wasRevoked(bearer) });
    }
    admitStranger(endpoint, dependencies.instance);
    return undefined;
  }
  if (usersOnly && endpoint.auth !== 'user') {
    if (!caller.viewer) throw unauthorized(SECURE_MODE);
    requireActive(caller.viewer, false);
  }
  return caller;
}

/** The requirements of an endpoint. */
export type Demands = Pick<Endpoint, 'auth' | 'scopes' | 'permission' | 'allowUnconfirmed'>;

/**
 * Checks the caller's rights. At open endpoints, a user who may not act counts as a stranger. The errors are
 * Mastodon's: https://docs.joinmastodon.org/client/authorized/ and the pages of the methods. @returns the
 * caller for the handler @throws RookeryError `forbidden`, `invalid`
 */
export function authorize(
  { auth, scopes, permission, allowUnconfirmed }: Demands,
  caller: Authenticated | undefined,
  holds: CallerDependencies['holds'],
): Authenticated | undefined {
  if (!caller) return undefined;
  const { token, viewer } = caller;
  if (scopes.length > 0 && !scopes.some((scope) => holds(token.scopes, scope))) {
    throw scopeMissing(scopes);
  }
  if (permission && !viewer) throw forbidden();
  if (auth === 'user') requireUser(viewer, allowUnconfirmed === true);
  if (permission && !mayDo(viewer?.role ?? null, permission)) throw forbidden();
  if (auth === 'user' || !viewer || isActive(viewer)) return caller;
  return auth === 'app' ? { token, viewer: undefined } : undefined;
}

const isActive = ({ disabled, suspended, confirmed, approved }: Viewer): boolean =>
  !disabled && !suspended && confirmed && approved;

function requireUser(viewer: Viewer | undefined, allowUnconfirmed: boolean): void {
  if (!viewer) throw userNeeded();
  requireActive(viewer, allowUnconfirmed);
  // A moved user may read but not act.
  if (viewer.moved) throw forbidden('Your login is currently disabled');
}

function requireActive(viewer: Viewer, allowUnconfirmed: boolean): void {
  if (viewer.disabled || viewer.suspended) throw forbidden('Your login is currently disabled');
  if (!viewer.confirmed && !allowUnconfirmed) {
    throw forbidden('Your login is missing a confirmed e-mail address');
  }
  if (!viewer.approved && !allowUnconfirmed) throw forbidden('Your login is currently pending approval');
}
