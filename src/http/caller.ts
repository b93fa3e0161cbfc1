import type { IncomingMessage } from 'node:http';
import type { AccessToken, Instance, Viewer } from '../kernel/context.ts';
import type { Endpoint } from '../kernel/endpoint.ts';
import { forbidden, unauthorized, userNeeded } from '../kernel/errors.ts';
import { mayDo } from '../kernel/permissions.ts';

/** Who sends a request. */
export interface Authenticated {
  token: AccessToken;
  viewer: Viewer | undefined;
}

export interface CallerDependencies {
  authenticate: (bearer: string) => Promise<Authenticated | undefined>;
  holds: (granted: readonly string[], required: string) => boolean;
  instance: Instance;
}

/** RFC 6750: the header, or the query (only for reading, as browsers' media elements and old clients do). */
export function bearerOf(req: IncomingMessage, query: Record<string, unknown>): string | undefined {
  const header = req.headers.authorization;
  if (header !== undefined) return /^Bearer +([^\s]{1,512})$/i.exec(header)?.[1] ?? '';
  const parameter = req.method === 'GET' ? query['access_token'] : undefined;
  return typeof parameter === 'string' ? parameter : undefined;
}

/** Of limited federation: https://docs.joinmastodon.org/entities/Error/#auth */
const SECURE_MODE = 'This API requires an authenticated user';

const isForUsers = (
  { openInLimitedMode }: Pick<Endpoint, 'openInLimitedMode'>,
  { limitedFederation }: Instance,
): boolean => limitedFederation && openInLimitedMode !== true;

/** Lets in who sends no token, where that is anybody. @throws RookeryError `unauthorized` */
export function admitStranger(
  endpoint: Pick<Endpoint, 'auth' | 'openInLimitedMode'>,
  instance: Instance,
): void {
  if (endpoint.auth !== 'public' && endpoint.auth !== 'optional') {
    throw unauthorized('The access token is invalid');
  }
  if (isForUsers(endpoint, instance)) throw unauthorized(SECURE_MODE);
}

/** @throws RookeryError `unauthorized` */
export async function authenticate(
  endpoint: Endpoint,
  req: IncomingMessage,
  query: Record<string, unknown>,
  dependencies: CallerDependencies,
): Promise<Authenticated | undefined> {
  const usersOnly = isForUsers(endpoint, dependencies.instance);
  if (endpoint.auth === 'public' && !usersOnly) return undefined;
  const bearer = bearerOf(req, query);
  if (bearer === undefined) {
    admitStranger(endpoint, dependencies.instance);
    return undefined;
  }
  const caller = await dependencies.authenticate(bearer);
  if (!caller) throw unauthorized('The access token is invalid');
  if (usersOnly && endpoint.auth !== 'user' && !caller.viewer) throw unauthorized(SECURE_MODE);
  return caller;
}

/** What somebody must be and have. */
export type Demands = Pick<Endpoint, 'auth' | 'scopes' | 'permission' | 'allowUnconfirmed'>;

/** The errors are Mastodon's: https://docs.joinmastodon.org/client/authorized/ and the methods' own pages. */
export function authorize(
  { auth, scopes, permission, allowUnconfirmed }: Demands,
  caller: Authenticated | undefined,
  holds: CallerDependencies['holds'],
): void {
  if (!caller) return;
  const { token, viewer } = caller;
  if (auth === 'user' && !viewer) {
    throw userNeeded();
  }
  if (viewer) requireActive(viewer, allowUnconfirmed === true);
  // Who has moved looks on, but acts no more.
  if (auth === 'user' && viewer?.moved) throw forbidden('Your login is currently disabled');
  if (scopes.length > 0 && !scopes.some((scope) => holds(token.scopes, scope))) {
    throw forbidden('This action is outside the authorized scopes');
  }
  if (permission && !mayDo(viewer?.role ?? null, permission)) throw forbidden('This action is not allowed');
}

function requireActive(viewer: Viewer, allowUnconfirmed: boolean): void {
  if (viewer.disabled || viewer.suspended) throw forbidden('Your login is currently disabled');
  if (!viewer.confirmed && !allowUnconfirmed) {
    throw forbidden('Your login is missing a confirmed e-mail address');
  }
  if (!viewer.approved && !allowUnconfirmed) throw forbidden('Your login is currently pending approval');
}
