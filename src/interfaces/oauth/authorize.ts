import type { Request, Response } from 'express';
import type { Viewer } from '#kernel/context.ts';
import { parseBody, parseQuery } from '../http/bodies.ts';
import {
  answerFields,
  type AuthorizationRequest,
  readAuthorizationRequest,
  redirectWith,
} from './authorization-request.ts';
import { OUT_OF_BAND } from './clients.ts';
import type { OAuthDependencies } from './dependencies.ts';
import { oauthErrorReply } from './errors.ts';
import { lookOf, PLAIN } from './look.ts';
import { sendPage } from './page-reply.ts';
import {
  codePage,
  consentPage,
  errorPage,
  formPostPage,
  type Link,
  type OAuthPage,
  refusedPage,
  secondStepPage,
  signInPage,
} from './pages.ts';
import { authorize } from './server.ts';
import type { Session, Sessions } from './sessions.ts';
import {
  attemptSecondStep,
  attemptSignIn,
  BEGIN_AGAIN,
  carrying,
  passwordForgotten,
  SEE_WHY,
  SETUP,
  signUpFor,
} from './sign-in.ts';
import { awaitsConfirmation, isLockedOut, whyNot } from './users.ts';

const MAX_FORM_BYTES = 50_000;

/** The facts about one request to the pages. */
interface AuthorizationVisit {
  res: Response;
  session: Session;
  request: AuthorizationRequest;
}

/** The pages at /oauth/authorize: sign-in in one or two steps, consent, and the code to copy. */
export class AuthorizePages {
  readonly #dependencies: OAuthDependencies;
  readonly #sessions: Sessions;

  constructor(dependencies: OAuthDependencies) {
    this.#dependencies = dependencies;
    this.#sessions = dependencies.sessions;
  }

  /** GET /oauth/authorize */
  show = (req: Request, res: Response): Promise<void> =>
    this.#withErrorPage(res, async () => {
      const visit = await this.#visit(req, res, parseQuery(searchOf(req)));
      if (!visit) return;
      const { session, request } = visit;
      if (session.accountId !== undefined && !request.forceLogin) {
        return this.#sendConsent(visit, session.accountId);
      }
      const awaitsCode = !request.forceLogin && (await this.#sessions.awaitingCode(session)) !== undefined;
      if (awaitsCode) await this.#sendSecondStep(visit);
      else await this.#sendSignIn(visit);
    });

  /** POST /oauth/authorize: the forms of the pages. */
  submit = (req: Request, res: Response): Promise<void> =>
    this.#withErrorPage(res, async () => {
      const { fields } = await parseBody(req, { maxBytes: MAX_FORM_BYTES });
      const visit = await this.#visit(req, res, fields);
      if (!visit) return;
      if (!this.#sessions.isCsrfToken(visit.session, textOf(fields['csrf_token']))) {
        const message = 'This page was open for too long, or came from elsewhere. Nothing has been changed.';
        return this.#send(res, 403, errorPage(message, pathTo(visit.request)), visit.session);
      }
      switch (fields['step']) {
        case 'sign_in':
          return this.#signIn(visit, req, textOf(fields['login']), textOf(fields['password']));
        case 'second_step':
          return this.#enterCode(visit, req, textOf(fields['code']));
        case 'consent':
          return this.#decide(visit, textOf(fields['decision']));
        case 'sign_out':
          return this.#goTo(visit, await this.#sessions.signOut(visit.session));
        default:
          await this.#send(res, 400, errorPage('The form is incomplete.'));
      }
    });

  /** GET /oauth/authorize/native: shows the code, for apps without an address. */
  showCode = (req: Request, res: Response): Promise<void> =>
    this.#withErrorPage(res, async () => {
      const code = textOf(parseQuery(searchOf(req))['code']);
      if (/^[\w-]{1,200}$/.test(code)) await this.#send(res, 200, codePage(code));
      else await this.#send(res, 400, errorPage('There is no authorization code here.'));
    });

  async #signIn(visit: AuthorizationVisit, req: Request, login: string, password: string): Promise<void> {
    const ip = this.#dependencies.clientAddress(req);
    const outcome = await attemptSignIn(this.#dependencies, visit.session, { login, password, ip });
    // It shows the page of the second step, or that of consent.
    if ('session' in outcome) return this.#goTo(visit, outcome.session);
    const { status, error, headers, newcomer, lockedOut } = outcome;
    visit.res.set(headers ?? {});
    // The page of the request says what is missing, and links to it.
    if (newcomer) return this.#goTo(visit, await this.#sessions.signIn(visit.session, newcomer.account_id));
    await this.#sendSignIn(visit, { status, login, error, more: lockedOut ? [SEE_WHY] : [] });
  }

  async #enterCode(visit: AuthorizationVisit, req: Request, code: string): Promise<void> {
    const ip = this.#dependencies.clientAddress(req);
    const outcome = await attemptSecondStep(this.#dependencies, visit.session, { code, ip });
    if (!outcome) return this.#sendSignIn(visit, { status: 422, error: BEGIN_AGAIN });
    if ('session' in outcome) return this.#goTo(visit, outcome.session);
    const { status, error, headers } = outcome;
    visit.res.set(headers ?? {});
    await this.#sendSecondStep(visit, { status, error });
  }

  async #decide(visit: AuthorizationVisit, decision: string): Promise<void> {
    const { session, request, res } = visit;
    if (session.accountId === undefined) return this.#goTo(visit, session);
    if (decision === 'approve') {
      const user = await this.#dependencies.users.byId(session.accountId);
      if (!user || whyNot(user) !== undefined) return this.#sendConsent(visit, session.accountId);
      const code = await authorize(this.#dependencies, request, { user, session });
      return this.#answer(visit, { code });
    }
    if (request.redirectUri === OUT_OF_BAND) {
      return this.#send(res, 200, errorPage('You refused. The app got no access to your account.'));
    }
    const description = 'The resource owner or authorization server denied the request.';
    await this.#answer(visit, { error: 'access_denied', error_description: description });
  }

  /** Sends the browser to the app with the answer, in the way that the app requested. */
  async #answer({ res, request }: AuthorizationVisit, answer: Record<string, string>): Promise<void> {
    const { redirectUri, responseMode } = request;
    if (responseMode !== 'form_post' || redirectUri === OUT_OF_BAND) {
      return redirect(res, redirectWith(request, answer));
    }
    await this.#send(res, 200, formPostPage(redirectUri, answerFields(request, answer)));
  }

  /** Returns the session and the checked request; undefined when the user was shown an error. */
  async #visit(req: Request, res: Response, fields: unknown): Promise<AuthorizationVisit | undefined> {
    const { db } = this.#dependencies;
    const request = await readAuthorizationRequest(db, fields);
    if ('problem' in request) {
      await this.#send(res, 400, errorPage(request.problem));
      return undefined;
    }
    return { res, request, session: await this.#sessions.of(req) };
  }

  async #sendSignIn(
    visit: AuthorizationVisit,
    shown: { status?: number; login?: string; error?: string; more?: readonly Link[] } = {},
  ): Promise<void> {
    const { res, session, request } = visit;
    const path = pathTo(request);
    const signUp = await signUpFor(this.#dependencies.db, path);
    const more = [
      ...(shown.more ?? []),
      { href: passwordForgotten(path), text: 'Forgot your password?' },
      ...(signUp === undefined ? [] : [{ href: signUp, text: 'New here? Sign up' }]),
    ];
    const page = signInPage(request.client, this.#form(visit), { ...shown, more });
    await this.#send(res, shown.status ?? 200, page, session);
  }

  async #sendSecondStep(
    visit: AuthorizationVisit,
    { status = 200, error }: { status?: number; error?: string } = {},
  ): Promise<void> {
    const page = secondStepPage(visit.request.client, this.#form(visit), error);
    await this.#send(visit.res, status, page, visit.session);
  }

  async #sendConsent(visit: AuthorizationVisit, accountId: string): Promise<void> {
    const { res, session, request } = visit;
    const user = await this.#dependencies.users.byId(accountId);
    if (!user) return this.#sendSignIn(visit);
    const reason = whyNot(user);
    if (reason !== undefined) {
      return this.#send(res, 403, refusedPage(reason, this.#form(visit), remedyFor(user, request)), session);
    }
    const { domain } = this.#dependencies.instance;
    const { client, scopes, redirectUri } = request;
    const asked = { username: user.username, domain, scopes, redirectUri };
    await this.#send(res, 200, consentPage(client, this.#form(visit), asked), session);
  }

  #form({ session, request }: AuthorizationVisit): { csrf: string; request: Record<string, string> } {
    return { csrf: this.#sessions.csrfToken(session), request: request.parameters };
  }

  /** Returns to the page of the same request, with this session. */
  #goTo({ res, request }: AuthorizationVisit, session: Session): void {
    for (const cookie of session.setCookies ?? []) res.append('Set-Cookie', cookie);
    redirect(res, pathTo(request));
  }

  async #send(res: Response, status: number, page: OAuthPage, session?: Session): Promise<void> {
    for (const cookie of session?.setCookies ?? []) res.append('Set-Cookie', cookie);
    const { db, instance } = this.#dependencies;
    sendPage(res, { status, page, instance, look: await lookOf(db, instance) });
  }

  async #withErrorPage(res: Response, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { status, body, headers, unexpected } = oauthErrorReply(error);
      if (unexpected !== undefined) this.#dependencies.onError(unexpected);
      res.set(headers);
      const page = errorPage(body.error_description);
      // The database itself may have failed.
      sendPage(res, { status, page, instance: this.#dependencies.instance, look: PLAIN });
    }
  }
}

/** Returns a link that helps a refused user. */
function remedyFor(user: Viewer, request: AuthorizationRequest): Link | undefined {
  if (isLockedOut(user)) return SEE_WHY;
  if (!awaitsConfirmation(user)) return undefined;
  return { href: carrying(SETUP, pathTo(request)), text: 'Have the mail sent again' };
}

/**
 * Status 303 turns the request into a GET. The header is set directly, because Express would encode parts of
 * it again.
 */
function redirect(res: Response, location: string): void {
  res
    .status(303)
    .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Location: location })
    .end();
}

const pathTo = ({ parameters }: AuthorizationRequest): string =>
  `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;

const searchOf = ({ url }: Request): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
