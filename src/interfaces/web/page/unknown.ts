import type { Request, RequestHandler } from 'express';
import { prefersPage } from '#interfaces/federation/negotiation.ts';
import { hasSession } from '#interfaces/oauth/sessions.ts';
import type { Instance } from '#kernel/context.ts';
import type { RookeryError } from '#kernel/errors.ts';
import { sendFailure } from './answer.ts';
import { failurePage } from './failure.ts';
import { bareSite } from './frame.ts';
import { sendPage } from './page-reply.ts';
import { visitOf, type WebDependencies } from './visit.ts';

type ErrorFor = (path: string) => RookeryError;

/**
 * Replies to a browser that requests an unknown path with a page. Programs, and all requests below `/api`,
 * get JSON.
 */
export const unknownPageHandler =
  (instance: Instance, errorFor: ErrorFor): RequestHandler =>
  (req, res, next) => {
    if (!isForPeople(req)) return next();
    const failure = failurePage(errorFor(req.path));
    if (!failure) return next();
    const { page, status } = failure;
    sendPage(res, { page, site: bareSite(instance), instance, status, headers: { Vary: 'Accept, Cookie' } });
  };

/** The same for signed-in users, with their navigation; others are passed on. */
export const unknownUserPageHandler =
  (dependencies: WebDependencies, errorFor: ErrorFor): RequestHandler =>
  async (req, res, next) => {
    if (req.method !== 'GET' || !isForPeople(req) || !hasSession(req.headers.cookie)) return next();
    await dependencies.limitRequest(req);
    const { request } = await visitOf(dependencies, {}, req);
    if (!request.user) return next();
    await sendFailure(res, errorFor(req.path), { req, instance: dependencies.instance, request });
  };

const isForPeople = ({ method, path, headers }: Request): boolean =>
  method !== 'OPTIONS' && !/^\/api(\/|$)/.test(path) && prefersPage(headers.accept);
