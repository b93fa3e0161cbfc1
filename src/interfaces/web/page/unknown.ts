import type { RequestHandler } from 'express';
import { prefersPage } from '../../federation/negotiation.ts';
import type { Instance } from '../../../kernel/context.ts';
import type { RookeryError } from '../../../kernel/errors.ts';
import { failurePage } from './failure.ts';
import { bareSite } from './frame.ts';
import { sendPage } from './page-reply.ts';

/**
 * Replies to a browser that requests an unknown path with a page. Programs, and all requests below `/api`,
 * get JSON.
 */
export const unknownPageHandler =
  (instance: Instance, errorFor: (path: string) => RookeryError): RequestHandler =>
  (req, res, next) => {
    const isForPeople = req.method !== 'OPTIONS' && !/^\/api(\/|$)/.test(req.path);
    if (!isForPeople || !prefersPage(req.headers.accept)) return next();
    const failure = failurePage(errorFor(req.path));
    if (!failure) return next();
    const { page, status } = failure;
    sendPage(res, { page, site: bareSite(instance), instance, status, headers: { Vary: 'Accept' } });
  };
