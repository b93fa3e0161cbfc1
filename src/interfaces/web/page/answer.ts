import type { Request, Response } from 'express';
import type { Instance } from '#kernel/context.ts';
import { shapesFor } from '../design/icons.ts';
import { failurePage } from './failure.ts';
import { bareSite, type Site, siteOf } from './frame.ts';
import type { Visitor } from './navigation.ts';
import { ownPath } from './own-path.ts';
import type { WebRequest, WebResponse } from './page.ts';
import { sendPage } from './page-reply.ts';
import { hereOf } from './request-view.ts';
import { PAGE_HEADERS } from './send.ts';
import { sendFile } from './send-file.ts';

/** Sends a page, a part of one, a redirect or a file. `site` is the frame, if it was read already. */
export async function sendAnswer(
  res: Response,
  request: WebRequest,
  answer: WebResponse,
  site?: Promise<Site>,
): Promise<void> {
  const { ctx, session } = request;
  const { headers = {} } = answer;
  const { setCookies = [] } = answer.session ?? session;
  for (const cookie of setCookies) res.append('Set-Cookie', cookie);
  if (answer.setCookie !== undefined) res.append('Set-Cookie', answer.setCookie);
  if ('fragment' in answer) {
    res
      .status(answer.status ?? 200)
      .set({ ...PAGE_HEADERS, ...headers })
      .type('html')
      .send(answer.fragment.text + shapesFor(answer.fragment.text).text);
    return;
  }
  if ('redirect' in answer && request.wantsFragment) {
    // A script that followed the redirect would get the page without its address.
    res
      .set({ ...PAGE_HEADERS, ...headers, 'X-Rookery-Location': answer.redirect })
      .status(204)
      .end();
    return;
  }
  if ('redirect' in answer) {
    // Status 303 turns the request into a GET.
    res
      .set({ ...PAGE_HEADERS, ...headers, Location: answer.redirect })
      .status(303)
      .end();
    return;
  }
  if ('file' in answer) {
    res.set({ ...PAGE_HEADERS, ...headers });
    return sendFile(res.req as Request, res, answer);
  }
  const { instance } = ctx;
  sendPage(res, {
    page: answer,
    site: await (site ?? siteOf(ctx)),
    instance,
    status: answer.status ?? 200,
    headers,
    forms: true,
    visitor: visitorOf(request, answer.session),
  });
}

/** A user whose `session` this reply ends is a stranger already. */
function visitorOf(request: WebRequest, session = request.session): Visitor {
  const { user, path } = request;
  if (request.lockedOut) return { path, lockedOut: true };
  if (!user || session.accountId === undefined) return { path };
  return {
    path,
    user: { username: user.username, role: user.role, csrf: request.csrf, here: hereOf(request) },
  };
}

/**
 * Sends the page about an error, in the frame of the user as far as that is known. @throws the error, if it is
 * an internal one
 */
export async function sendFailure(
  res: Response,
  error: unknown,
  { req, instance, request }: { req: Request; instance: Instance; request: WebRequest | undefined },
): Promise<void> {
  const failure = failurePage(error, {
    isUser: request?.user !== undefined,
    role: request?.user?.role,
    hasMoved: request?.user?.moved === true,
    ...(req.method === 'GET' && { here: ownPath(req.url) }),
  });
  if (!failure) throw error;
  const { page, status, headers } = failure;
  // Nothing is read for visitors who ask too much, nor while the database fails.
  const site = request && status < 429 ? await siteOf(request.ctx) : bareSite(instance);
  const visitor = request && visitorOf(request);
  sendPage(res, { page, site, instance, status, headers, forms: true, ...(visitor && { visitor }) });
}
