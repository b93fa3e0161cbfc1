import { Router, type Request, type Response } from 'express';
import { discardUploads, parseBody, type FileLimits, type UploadedFile } from '../../http/bodies.ts';
import { readCookie } from '../../http/cookies.ts';
import { errorReply } from '../../http/errors.ts';
import type { Instance, RequestContext, Viewer } from '../../../kernel/context.ts';
import { forbidden, isRookeryError, RookeryError } from '../../../kernel/errors.ts';
import { findUser, isNewcomer, isLockedOut, whyNot } from '../../oauth/users.ts';
import { failurePage } from './failure.ts';
import { bareSite, siteOf } from './frame.ts';
import { sendPage } from './page-reply.ts';
import { PAGE_HEADERS } from './send.ts';
import { CSRF_FIELD } from './forms.ts';
import { accountPages, MOVED } from '../settings/index.ts';
import { signInThen } from './layout.ts';
import { ownPath } from './own-path.ts';
import type {
  AccountPage,
  AccountServices,
  SettingsResponse,
  Fields,
  PageOf,
  SettingsRequest,
} from './page.ts';
import { foreignForm, HAS_MOVED, problemsByField, problemsOf, refusedPage } from './refusals.ts';
import { sendFile } from './send-file.ts';

export interface AccountPageDependencies {
  instance: Instance;
  services: AccountServices;
  /** Returns a context with or without a user. */
  context: (req: Request, user: Viewer | undefined) => RequestContext;
  /** Counts the request. @throws RookeryError `too_many_requests` */
  limitRequest: (req: Request) => Promise<unknown>;
}

const MAX_FORM_BYTES = 50_000;
/** The maximum length of one field, in UTF-16 units. */
const MAX_FIELD = 20_000;

/** Creates the pages about the user's own account, without any script. They are not cached. */
export function createAccountPagesRouter(dependencies: AccountPageDependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const page of accountPages) {
    router.get(page.path, (req, res) => serve(dependencies, page, req, res));
    if (page.submit) router.post(page.path, (req, res) => serve(dependencies, page, req, res));
  }
  for (const [path, now] of Object.entries(MOVED)) router.get(path, (_req, res) => res.redirect(302, now));
  return router;
}

async function serve(
  dependencies: AccountPageDependencies,
  page: AccountPage,
  req: Request,
  res: Response,
): Promise<void> {
  const { instance, limitRequest } = dependencies;
  try {
    await limitRequest(req);
    const { request, refused } = await visitOf(dependencies, page, req);
    const answer = await answerTo(page, request, req, refused);
    await send(res, request, answer);
  } catch (error) {
    const failure = failurePage(error);
    // A partial file cannot be undone.
    if (!failure || res.headersSent) throw error;
    const { page: shown, status, headers } = failure;
    sendPage(res, { page: shown, site: bareSite(instance), instance, status, headers, forms: true });
  }
}

/** Returns the request with its user; `refused` is the reason why a signed-in user may not act. */
async function visitOf(
  { services, context }: AccountPageDependencies,
  { byMail, allowsLockedOut }: AccountPage,
  req: Request,
): Promise<{ request: SettingsRequest; refused: string | undefined }> {
  const { sessions, db } = services;
  const session = await sessions.of(req);
  const found = session.accountId === undefined ? undefined : await findUser(db, session.accountId);
  const lockedOut = found && isLockedOut(found) ? found : undefined;
  const refused = found && !(lockedOut && allowsLockedOut) ? whyNot(found) : undefined;
  const user = refused === undefined ? found : undefined;
  const newcomer = found && isNewcomer(found) ? found : undefined;
  const url = URL.parse(req.url, 'http://localhost');
  const request: SettingsRequest = {
    ctx: context(req, byMail ? undefined : (user ?? newcomer)),
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
  };
  return { request, refused };
}

async function answerTo(
  page: AccountPage,
  request: SettingsRequest,
  req: Request,
  refused: string | undefined,
): Promise<SettingsResponse> {
  // Only signed-in users may send files: others sign in first.
  if (page.files && !request.user && refused === undefined)
    return { redirect: signInThen(ownPath(request.path)) };
  const sent = req.method === 'POST' ? await formOf(req, page.files) : undefined;
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
  files: Record<string, UploadedFile>;
}

async function answerForm(
  page: AccountPage,
  request: SettingsRequest,
  { req, sent, refused }: { req: Request; sent: Form | undefined; refused: string | undefined },
): Promise<SettingsResponse> {
  const fields = sent?.fields;
  if (fields && !request.services.sessions.isCsrfToken(request.session, fields[CSRF_FIELD] ?? '')) {
    return { ...foreignForm(request), status: 403 };
  }
  if (page.audience === 'everybody') return run(page, request, sent);
  if (refused !== undefined) return { ...refusedPage(request, refused), status: 403 };
  // The contents of the form are lost: its page is opened again.
  if (!request.user) return { redirect: signInThen(ownPath(fields ? request.path : req.url)) };
  return run(page, { ...request, user: request.user }, sent);
}

/** Shows the page, or submits its form; the page itself shows errors that the visitor can correct. */
async function run<V extends SettingsRequest>(
  { show, submit, acts }: PageOf<V>,
  request: V,
  sent: Form | undefined,
): Promise<SettingsResponse> {
  if (!sent || !submit) return show(request);
  const { fields, files } = sent;
  try {
    if (acts && request.user?.moved) throw forbidden(HAS_MOVED);
    return await submit(request, fields, files);
  } catch (error) {
    if (!isRookeryError(error) || !MENDABLE.has(error.code)) throw error;
    const { status, headers } = errorReply(error);
    const tried = { problems: problemsOf(error), byField: problemsByField(error), fields };
    return { ...(await show(request, tried)), status, headers };
  }
}

const MENDABLE: ReadonlySet<string> = new Set(['invalid', 'forbidden', 'too_many_requests']);

/** Throws RookeryError `bad_request` for a request that no form of this server sends. */
async function formOf(req: Request, limits: FileLimits | undefined): Promise<Form> {
  const { fields, files } = await parseBody(req, {
    maxBytes: MAX_FORM_BYTES,
    ...(limits ? { files: limits } : {}),
  });
  try {
    return { fields: textsIn(fields), files };
  } catch (error) {
    await discardUploads(files);
    throw error;
  }
}

/** Throws RookeryError `bad_request` for a value that is no text. */
function textsIn(fields: Readonly<Record<string, unknown>>): Fields {
  const texts = Object.entries(fields).map(([name, value]) => {
    if (typeof value !== 'string' || value.length > MAX_FIELD) {
      throw new RookeryError('bad_request', 'The form is malformed');
    }
    return [name, value] as const;
  });
  return Object.fromEntries(texts);
}

async function send(
  res: Response,
  { ctx, session }: SettingsRequest,
  answer: SettingsResponse,
): Promise<void> {
  const { headers = {} } = answer;
  const { setCookie } = answer.session ?? session;
  if (setCookie !== undefined) res.append('Set-Cookie', setCookie);
  if (answer.setCookie !== undefined) res.append('Set-Cookie', answer.setCookie);
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
  });
}
