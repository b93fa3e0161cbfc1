import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { wantsDocument } from '../../federation/negotiation.ts';
import type { CallOwn } from '../../http/own-calls.ts';
import type { JsonObject } from '../../../kernel/event.ts';
import { hasSession, sessionToken } from '../../oauth/sessions.ts';
import { discardUploads, parseBody, type FileLimits, type UploadedFile } from '../../http/bodies.ts';
import { readCookie } from '../../http/cookies.ts';
import { errorReply } from '../../http/errors.ts';
import type { Instance, RequestContext, Viewer } from '../../../kernel/context.ts';
import { forbidden, isRookeryError, RookeryError } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/ids.ts';
import { findUser, isNewcomer, isLockedOut, whyNot } from '../../oauth/users.ts';
import { failurePage } from './failure.ts';
import { bareSite, siteOf } from './frame.ts';
import { sendPage } from './page-reply.ts';
import { PAGE_HEADERS } from './send.ts';
import { CSRF_FIELD } from './forms.ts';
import { signInThen } from './layout.ts';
import type { Visitor } from './navigation.ts';
import { ownPath } from './own-path.ts';
import type { WebPage, WebServices, WebResponse, Fields, PageOf, Tried, WebRequest } from './page.ts';
import { hereOf } from './request-view.ts';
import {
  foreignForm,
  HAS_MOVED,
  OPEN_TOO_LONG,
  problemsByField,
  problemsOf,
  refusedPage,
} from './refusals.ts';
import { sendFile } from './send-file.ts';

export interface WebDependencies {
  instance: Instance;
  services: WebServices;
  /** Returns a context with or without a user. */
  context: (req: Request, user: Viewer | undefined) => RequestContext;
  /** Counts the request. @throws RookeryError `too_many_requests` */
  limitRequest: (req: Request) => Promise<unknown>;
  callOwn: CallOwn;
}

/** The pages, and the addresses that some of them have in Mastodon. */
export interface WebPages {
  pages: readonly WebPage[];
  moved: Readonly<Record<string, string>>;
}

const MAX_FORM_BYTES = 100_000;
/** The maximum length of one field, in UTF-16 units. */
const MAX_FIELD = 20_000;

/** Creates the pages of the settings and of the web client. They are not cached. */
export function createWebRouter(dependencies: WebDependencies, { pages, moved }: WebPages): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const page of pages) {
    const isHere: RequestHandler = (req, _res, next) => {
      const owned = page.owns?.(req.params as Record<string, string>) ?? true;
      return owned && !isForPublic(page, req) && !namesNoPost(req) ? next() : next('route');
    };
    router.get(page.path, isHere, (req, res, next) => serve(dependencies, page, { req, res, next }));
    if (page.submit)
      router.post(page.path, (req, res, next) => serve(dependencies, page, { req, res, next }));
  }
  for (const [path, now] of Object.entries(moved)) router.get(path, (_req, res) => res.redirect(302, now));
  return router;
}

/**
 * Documents for other servers and feeds have the addresses of public pages; a browser without a cookie is not
 * signed in.
 */
const isForPublic = ({ orPublic }: WebPage, { headers, path }: Request): boolean =>
  orPublic === true &&
  (wantsDocument(headers.accept) || path.endsWith('.rss') || !hasSession(headers.cookie));

/** `/@alice/tagged/edit` is about a hashtag: pages about posts leave it to others. */
const namesNoPost = ({ path, params: { id } }: Request): boolean =>
  path.startsWith('/@') && typeof id === 'string' && !isId(id);

interface Exchange {
  req: Request;
  res: Response;
  next: NextFunction;
}

async function serve(
  dependencies: WebDependencies,
  page: WebPage,
  { req, res, next }: Exchange,
): Promise<void> {
  const { instance, limitRequest } = dependencies;
  let visit: Awaited<ReturnType<typeof visitOf>> | undefined;
  try {
    await limitRequest(req);
    visit = await visitOf(dependencies, page, req);
    const { request, refused } = visit;
    if (page.orPublic && req.method === 'GET' && !request.user) return next('route');
    const answer = await answerTo(page, request, req, refused);
    await send(res, request, answer);
  } catch (error) {
    const failure = failurePage(error);
    // A partial file cannot be undone.
    if (!failure || res.headersSent) throw error;
    const { page: shown, status, headers } = failure;
    // Signed-in users keep their navigation, unless even that may fail.
    if (visit?.request.user && status < 500) return send(res, visit.request, { ...shown, status, headers });
    sendPage(res, { page: shown, site: bareSite(instance), instance, status, headers, forms: true });
  }
}

/** Returns the request with its user; `refused` is the reason why a signed-in user may not act. */
async function visitOf(
  { services, context, callOwn }: WebDependencies,
  { byMail, allowsLockedOut }: WebPage,
  req: Request,
): Promise<{ request: WebRequest; refused: string | undefined }> {
  const { sessions, db } = services;
  const session = await sessions.of(req);
  const found = session.accountId === undefined ? undefined : await findUser(db, session.accountId);
  const lockedOut = found && isLockedOut(found) ? found : undefined;
  const refused = found && !(lockedOut && allowsLockedOut) ? whyNot(found) : undefined;
  const user = refused === undefined ? found : undefined;
  const newcomer = found && isNewcomer(found) ? found : undefined;
  const url = URL.parse(req.url, 'http://localhost');
  const ctx = context(req, byMail ? undefined : (user ?? newcomer));
  const caller = {
    ip: ctx.ip,
    locale: ctx.locale,
    ...(user && { token: sessionToken(session, user), viewer: user }),
  };
  const request: WebRequest = {
    ctx,
    api: (endpoint, asked) => callOwn(caller, endpoint, asked),
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

async function answerTo(
  page: WebPage,
  request: WebRequest,
  req: Request,
  refused: string | undefined,
): Promise<WebResponse> {
  // Only signed-in users may send files: others sign in first.
  const isStranger = !request.user && refused === undefined;
  if (page.files && isStranger && !page.keep) return { redirect: signInThen(ownPath(request.path)) };
  const sent = req.method === 'POST' ? await formOf(req, isStranger ? withoutFiles(page) : page) : undefined;
  try {
    const answer = await answerForm(page, request, { req, sent, refused });
    // The next page shows what this one wrote; pages of mailed links write too.
    await request.ctx.finishWrites();
    return answer;
  } finally {
    if (sent) await discardUploads(sent.files);
  }
}

interface Form {
  fields: Fields;
  nested: JsonObject;
  files: Record<string, UploadedFile>;
}

async function answerForm(
  page: WebPage,
  request: WebRequest,
  { req, sent, refused }: { req: Request; sent: Form | undefined; refused: string | undefined },
): Promise<WebResponse> {
  const fields = sent?.fields;
  if (sent && !request.services.sessions.isCsrfToken(request.session, sent.fields[CSRF_FIELD] ?? '')) {
    if (page.keep) return { ...(await page.keep(request, triedAgain(sent))), status: 403 };
    return { ...foreignForm(request), status: 403 };
  }
  if (page.audience === 'everybody') return run(page, request, sent);
  if (refused !== undefined) return { ...refusedPage(request, refused), status: 403 };
  if (!request.user && sent && page.keep)
    return { ...(await page.keep(request, triedAgain(sent))), status: 401 };
  // The contents of the form are lost: its page is opened again.
  if (!request.user) return { redirect: signInThen(ownPath(fields ? request.path : req.url)) };
  return run(page, { ...request, user: request.user }, sent);
}

const triedAgain = ({ fields, nested }: Form): Tried => ({ problems: [OPEN_TOO_LONG], fields, nested });

/** Shows the page, or submits its form; the page itself shows errors that the visitor can correct. */
async function run<V extends WebRequest>(
  { show, submit, acts }: PageOf<V>,
  request: V,
  sent: Form | undefined,
): Promise<WebResponse> {
  if (!sent || !submit) return show(request);
  const { fields, files, nested } = sent;
  try {
    if (acts && request.user?.moved) throw forbidden(HAS_MOVED);
    return await submit(request, fields, files, nested);
  } catch (error) {
    if (!isRookeryError(error) || !MENDABLE.has(error.code)) throw error;
    const { status, headers } = errorReply(error);
    const tried = { problems: problemsOf(error), byField: problemsByField(error), fields, nested };
    return { ...(await show(request, tried)), status, headers };
  }
}

const MENDABLE: ReadonlySet<string> = new Set(['invalid', 'forbidden', 'too_many_requests']);

const withoutFiles = ({ files, nested }: WebPage): FormRules => ({
  nested,
  files: files && { ...files, dropped: true },
});

interface FormRules {
  nested?: boolean | undefined;
  files?: FileLimits | undefined;
}

/** Throws RookeryError `bad_request` for a request that no form of this server sends. */
async function formOf(req: Request, { files: limits, nested = false }: FormRules): Promise<Form> {
  const { fields, files } = await parseBody(req, {
    maxBytes: MAX_FORM_BYTES,
    ...(limits ? { files: limits } : {}),
  });
  try {
    return { fields: textsIn(fields, nested), nested: fields, files };
  } catch (error) {
    await discardUploads(files);
    throw error;
  }
}

/** Throws RookeryError `bad_request` for a value that is no text, unless the form is nested. */
function textsIn(fields: JsonObject, nested: boolean): Fields {
  const given = Object.entries(fields).filter(([, value]) => !nested || typeof value === 'string');
  const texts = given.map(([name, value]) => {
    if (typeof value !== 'string' || value.length > MAX_FIELD) {
      throw new RookeryError('bad_request', 'The form is malformed');
    }
    return [name, value] as const;
  });
  return Object.fromEntries(texts);
}

async function send(res: Response, request: WebRequest, answer: WebResponse): Promise<void> {
  const { ctx, session } = request;
  const { headers = {} } = answer;
  const { setCookie } = answer.session ?? session;
  if (setCookie !== undefined) res.append('Set-Cookie', setCookie);
  if (answer.setCookie !== undefined) res.append('Set-Cookie', answer.setCookie);
  if ('fragment' in answer) {
    res
      .status(answer.status ?? 200)
      .set({ ...PAGE_HEADERS, ...headers })
      .type('html')
      .send(answer.fragment.text);
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
    site: await siteOf(ctx),
    instance,
    status: answer.status ?? 200,
    headers,
    forms: true,
    visitor: visitorOf(request),
  });
}

function visitorOf(request: WebRequest): Visitor {
  const { user, path } = request;
  if (!user) return { path };
  return { path, user: { username: user.username, csrf: request.csrf, here: hereOf(request) } };
}
