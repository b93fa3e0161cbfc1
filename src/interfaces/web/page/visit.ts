import type { Request } from 'express';
import { readCookie } from '#interfaces/http/cookies.ts';
import type { CallsOf } from '#interfaces/http/own-calls.ts';
import { sessionToken } from '#interfaces/oauth/sessions.ts';
import { isLockedOut, isNewcomer, whyNot } from '#interfaces/oauth/users.ts';
import type { Instance, RequestContext, Viewer } from '#kernel/context.ts';
import type { WebPage, WebRequest, WebServices } from './page.ts';

export interface WebDependencies {
  instance: Instance;
  services: WebServices;
  /** Returns a context with or without a user. */
  context: (req: Request, user: Viewer | undefined) => RequestContext;
  /** Counts the request. @throws RookeryError `too_many_requests` */
  limitRequest: (req: Request) => Promise<unknown>;
  callsOf: CallsOf;
  /** Records that a user is active, and from which address. */
  seen: (user: Viewer, ip: string) => void;
}

/** Returns the request with its user; `refused` is the reason why a signed-in user may not act. */
export async function visitOf(
  { services, context, callsOf, seen }: WebDependencies,
  { byMail, allowsLockedOut }: Pick<WebPage, 'byMail' | 'allowsLockedOut'>,
  req: Request,
): Promise<{ request: WebRequest; refused: string | undefined }> {
  const { sessions } = services;
  const { session, viewer: found } = await sessions.visitOf(req);
  const lockedOut = found && isLockedOut(found) ? found : undefined;
  const refused = found && !(lockedOut && allowsLockedOut) ? whyNot(found) : undefined;
  const user = refused === undefined ? found : undefined;
  const newcomer = found && isNewcomer(found) ? found : undefined;
  const url = URL.parse(req.url, 'http://localhost');
  const ctx = context(req, byMail ? undefined : (user ?? newcomer));
  if (user) seen(user, ctx.ip);
  const caller = {
    ip: ctx.ip,
    locale: ctx.locale,
    ...(user && { token: sessionToken(session, user), viewer: user }),
  };
  const request: WebRequest = {
    ctx,
    ...callsOf(caller),
    user,
    newcomer,
    lockedOut,
    session,
    csrf: sessions.csrfToken(session),
    path: req.path,
    params: req.params as Record<string, string>,
    query: url?.searchParams ?? new URLSearchParams(),
    cookie: (name) => readCookie(req.headers.cookie, name),
    services,
    wantsFragment: req.headers['x-rookery-fragment'] !== undefined,
  };
  return { request, refused };
}
