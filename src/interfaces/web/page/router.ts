import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { wantsDocument } from '#interfaces/federation/negotiation.ts';
import { discardUploads, type FileLimits, parseBody, type UploadedFile } from '#interfaces/http/bodies.ts';
import { errorReply } from '#interfaces/http/errors.ts';
import { sendRedirect } from '#interfaces/http/redirect.ts';
import { withoutTrailingSlash } from '#interfaces/http/request-url.ts';
import { hasSession } from '#interfaces/oauth/sessions.ts';
import { forbidden, isRookeryError, RookeryError } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { admitFiles } from './admit-files.ts';
import { sendAnswer, sendFailure } from './answer.ts';
import { CSRF_FIELD } from './forms.ts';
import { type Site, siteOf } from './frame.ts';
import { signInThen } from './layout.ts';
import { followsLive, sendLive } from './live.ts';
import { ownPath } from './own-path.ts';
import type { Fields, PageOf, Tried, WebPage, WebRequest, WebResponse } from './page.ts';
import {
  foreignForm,
  HAS_MOVED,
  OPEN_TOO_LONG,
  problemsByField,
  problemsOf,
  refusedPage,
} from './refusals.ts';
import { visitOf, type WebDependencies } from './visit.ts';

/** The pages, and the addresses that some of them have in Mastodon. */
export interface WebPages {
  pages: readonly WebPage[];
  moved: Readonly<Record<string, string>>;
}

const MAX_FORM_BYTES = 100_000;
/** The maximum length of one field, in UTF-16 units. */
const MAX_FIELD = 20_000;
/** The same for forms with long texts. */
const LONG = { formBytes: 1_000_000, field: 500_000 };

/** Creates the pages of the settings and of the web client. They are not cached. */
export function createWebRouter(dependencies: WebDependencies, { pages, moved }: WebPages): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, _res, next) => {
    req.url = withoutTrailingSlash(req.url);
    next();
  });
  router.use(fixedPages(dependencies, pages));
  for (const page of pages.filter(({ path }) => path.includes(':'))) {
    const isHere: RequestHandler = (req, _res, next) => {
      const owned = page.owns?.(req.params as Record<string, string>) ?? true;
      return owned && !isForPublic(page, req) ? next() : next('route');
    };
    router.get(page.path, isHere, (req, res, next) => serve(dependencies, page, { req, res, next }));
    if (page.submit)
      router.post(page.path, (req, res, next) => serve(dependencies, page, { req, res, next }));
  }
  for (const [path, now] of Object.entries(moved))
    router.get(path, (_req, res) => sendRedirect(res, 302, now));
  return router;
}

/** Serves the pages of one address by a look-up: a router compares an address with each of its routes. */
function fixedPages(dependencies: WebDependencies, pages: readonly WebPage[]): RequestHandler {
  const byPath = new Map(pages.filter(({ path }) => !path.includes(':')).map((page) => [page.path, page]));
  return async (req, res, next) => {
    const page = byPath.get(req.path);
    const reads = req.method === 'GET' || req.method === 'HEAD';
    if (!page || !(reads || (req.method === 'POST' && page.submit))) return next();
    if (reads && isForPublic(page, req)) return next();
    return serve(dependencies, page, { req, res, next });
  };
}

/**
 * Documents for other servers and feeds have the addresses of public pages; a browser without a cookie is not
 * signed in.
 */
const isForPublic = ({ orPublic }: WebPage, { headers, path }: Request): boolean =>
  orPublic === true &&
  (wantsDocument(headers.accept) || path.endsWith('.rss') || !hasSession(headers.cookie));

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
  let request: WebRequest | undefined;
  try {
    await dependencies.limitRequest(req);
    const visit = await visitOf(dependencies, page, req);
    ({ request } = visit);
    if (page.orPublic && req.method === 'GET' && !request.user) return next('route');
    if (followsLive(page, req) && request.user) {
      const first = { ...request, user: request.user };
      return await sendLive(dependencies, page, { req, res, first });
    }
    const site = frameOf(req, request);
    const answer = await answerTo(page, request, req, visit.refused);
    await sendAnswer(res, request, answer, site);
  } catch (error) {
    // A partial file cannot be undone.
    if (res.headersSent) throw error;
    await sendFailure(res, error, { req, instance: dependencies.instance, request });
  }
}

/** Reads the frame of a page beside its content. A form may change it, so then it is read after. */
function frameOf({ method }: Request, { ctx, wantsFragment }: WebRequest): Promise<Site> | undefined {
  if (method !== 'GET' || wantsFragment) return undefined;
  const site = siteOf(ctx);
  // The reply awaits it, and fails with it.
  site.catch(() => undefined);
  return site;
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
  const isForm = req.method === 'POST';
  const { end, denial } = isForm ? await admitFiles(page, request) : {};
  let sent: Form | undefined;
  try {
    if (isForm) sent = { ...(await formOf(req, isStranger || denial ? withoutFiles(page) : page)), denial };
    const answer = await answerForm(page, request, { req, sent, refused });
    // The next page shows what this one wrote; pages of mailed links write too.
    await request.ctx.finishWrites();
    return answer;
  } finally {
    end?.();
    if (sent) await discardUploads(sent.files);
  }
}

interface Form {
  fields: Fields;
  nested: JsonObject;
  files: Record<string, UploadedFile>;
  /** Why its files were not taken. */
  denial?: RookeryError | undefined;
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
  const { fields, files, nested, denial } = sent;
  try {
    if (denial) throw denial;
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

const withoutFiles = ({ files, nested, longTexts }: WebPage): FormRules => ({
  nested,
  longTexts,
  files: files && { ...files, dropped: true },
});

interface FormRules {
  nested?: boolean | undefined;
  longTexts?: true | undefined;
  files?: FileLimits | undefined;
}

/** Throws RookeryError `bad_request` for a request that no form of this server sends. */
async function formOf(req: Request, { files: limits, nested = false, longTexts }: FormRules): Promise<Form> {
  const { fields, files } = await parseBody(req, {
    maxBytes: longTexts ? LONG.formBytes : MAX_FORM_BYTES,
    ...(limits ? { files: limits } : {}),
  });
  try {
    return { fields: textsIn(fields, nested, longTexts ? LONG.field : MAX_FIELD), nested: fields, files };
  } catch (error) {
    await discardUploads(files);
    throw error;
  }
}

/** Throws RookeryError `bad_request` for a value that is no text, unless the form is nested. */
function textsIn(fields: JsonObject, nested: boolean, most: number): Fields {
  const given = Object.entries(fields).filter(([, value]) => !nested || typeof value === 'string');
  const texts = given.map(([name, value]) => {
    if (typeof value !== 'string' || value.length > most) {
      throw new RookeryError('bad_request', 'The form is malformed');
    }
    return [name, value] as const;
  });
  return Object.fromEntries(texts);
}
