import { Readable } from 'node:stream';
import type { FileLimits } from '#interfaces/http/bodies.ts';
import type { OwnCalls } from '#interfaces/http/own-calls.ts';
import type { Session } from '#interfaces/oauth/sessions.ts';
import type { SignInDependencies } from '#interfaces/oauth/sign-in.ts';
import type { RequestContext, Viewer } from '#kernel/context.ts';
import type { PathParams, RateLimit, UploadedFile } from '#kernel/endpoint.ts';
import type { JsonObject } from '#kernel/event.ts';
import type { Html } from '../design/html.ts';
import type { Page } from './frame.ts';

/** The dependencies of these pages besides a context. */
export interface WebServices extends SignInDependencies {
  /** The mail server; undefined where mails are written to files. */
  mailsTo: string | undefined;
  /**
   * Counts an attempt; `key` names its subject: `ip:...`, `login:...`. @throws RookeryError
   * `too_many_requests`
   */
  limit: (kind: Exclude<RateLimit, 'none'>, key: string) => Promise<void>;
  /** Counts against an IP address, together with the endpoints that do the same. @throws RookeryError `too_many_requests` */
  limitAddress: (kind: RateLimit, ip: string) => Promise<unknown>;
  /** Counts against a user, together with the endpoints that do the same. @throws RookeryError `too_many_requests` */
  limitUser: (kind: Exclude<RateLimit, 'none'>, user: { ip: string; accountId: string }) => Promise<unknown>;
}

/** The parameters of an address that a page does not know by name. */
type AnyParams = Readonly<Record<string, string>>;

/** A request for a page, whose path has these parameters. */
export interface WebRequest<Params extends AnyParams = AnyParams> {
  /** In the name of the signed-in user or new user, unless the page has `byMail`. */
  ctx: RequestContext;
  /**
   * Calls an endpoint of the API in the name of this browser: as the signed-in user, else as a stranger. Pages
   * of the web client show and change nothing by other means.
   */
  api: OwnCalls['api'];
  /** Calls an endpoint in the same way with what a form says, whatever that is. */
  passOn: OwnCalls['passOn'];
  /** The user who is signed in in this browser and may use the account. */
  user: Viewer | undefined;
  /**
   * The new user who is signed in in this browser: the address is unconfirmed, or staff have not approved the
   * account.
   */
  newcomer: Viewer | undefined;
  /**
   * The suspended or disabled user who is signed in in this browser: a visitor of the few pages that declare
   * `allowsLockedOut`.
   */
  lockedOut: Viewer | undefined;
  session: Session;
  /** `form` adds it to every form. */
  csrf: string;
  /** The requested path, without the query. */
  path: string;
  params: Params;
  query: URLSearchParams;
  /** A cookie as the browser sent it. */
  cookie: (name: string) => string | undefined;
  services: WebServices;
  /** The script of the page asks, and wants only the changed part of the page. */
  wantsFragment: boolean;
}

/** A request by a signed-in user. */
export type SignedInRequest<Params extends AnyParams = AnyParams> = WebRequest<Params> & { user: Viewer };

/** The fields of a form; all are short texts. */
export type Fields = Readonly<Record<string, string>>;

/** The files of a form, by the name of their field. */
export type Files = Readonly<Record<string, UploadedFile | undefined>>;

/** A submitted form that was refused: its problems and its contents. */
export interface Tried {
  problems: readonly string[];
  /** The problems of each field, by its name. */
  byField?: Readonly<Record<string, readonly string[]>>;
  fields: Fields;
  nested?: JsonObject;
}

export type WebResponse = (
  | (Page & { status?: number })
  /** A local path or a checked address, opened by GET. */
  | { redirect: string }
  /** A part of a page, for the script that asked for it. */
  | { fragment: Html; status?: number }
  /** A file that the browser saves under this name, sent while it is made. */
  | KeptFile
) & {
  headers?: Record<string, string>;
  /** The new session of this browser. */
  session?: Session;
  /** Another cookie, in the form of the header. */
  setCookie?: string;
};

/** A file for the browser to save. */
export interface KeptFile {
  file: string;
  type: string;
  content: AsyncIterable<string | Buffer>;
  /**
   * The tag of content that never changes, and its `size` in bytes: an interrupted download may be resumed.
   */
  whole?: { tag: string; size: number };
}

/** Returns a file with a text that is there already. */
export const textFile = (file: string, type: string, text: string): KeptFile => ({
  file,
  type,
  content: Readable.from([text]),
});

/**
 * A page of the settings or of the web client. `show` displays errors of `submit` that the visitor can correct
 * (`invalid`, `forbidden`, too many attempts) above the form. CSRF tokens, limits and sign-in are checked
 * before either is called.
 */
export interface PageOf<V extends WebRequest, Path extends string = string> {
  path: Path;
  show: (request: V, tried?: Tried) => Promise<WebResponse> | WebResponse;
  /**
   * A mailed link leads here and names the user, regardless of the browser's session, so the page acts
   * without an actor.
   */
  byMail?: true;
  /** Its form may have lists and groups of fields, as in `poll[options][]`. */
  nested?: boolean;
  /**
   * Its form acts like an app in the user's name, so it is refused for an account that redirects to another
   * one.
   */
  acts?: true;
  /** Visitors who are not signed in get the public page of the same address. */
  orPublic?: true;
  /** Tells by the parameters whether an address belongs to this page; by default all do. */
  owns?: (params: AnyParams) => boolean;
  /**
   * Its script follows it by server-sent events: `show` answers a request with `wantsFragment` with the parts that
   * change, each an element with an id.
   */
  live?: true;
  /** Also for suspended and disabled users: pages about that, and about exporting their data. */
  allowsLockedOut?: true;
  /**
   * The limits of a form with files; without limits, a form with files is refused. The files are deleted
   * after `submit`.
   */
  files?: FileLimits;
  /**
   * Admits a form with files before it is read, and returns a function that is called when `submit` has ended. When it
   * throws, the files are not stored, and its error is that of `submit`.
   */
  admitFiles?: (request: V) => Promise<() => void>;
  /** Its form has long texts of staff, and may have 1 MB. */
  longTexts?: true;
  submit?: (request: V, fields: Fields, files: Files, nested: JsonObject) => Promise<WebResponse>;
  /**
   * Shows a submitted form again that could not be taken, because the session had ended or is another user's.
   * Without it the contents are lost.
   */
  keep?: (request: WebRequest<V['params']>, tried: Tried) => Promise<WebResponse> | WebResponse;
}

export type WebPage =
  ({ audience: 'users' } & PageOf<SignedInRequest>) | ({ audience: 'everybody' } & PageOf<WebRequest>);

/** Declares a page for signed-in users; others sign in first and return. */
export function userPage<const Path extends string>(
  page: PageOf<SignedInRequest<PathParams<Path>>, Path>,
): WebPage;
export function userPage(page: PageOf<SignedInRequest>): WebPage {
  return { audience: 'users', ...page };
}

/** Declares a page for everyone. */
export function openPage<const Path extends string>(
  page: PageOf<WebRequest<PathParams<Path>>, Path>,
): WebPage;
export function openPage(page: PageOf<WebRequest>): WebPage {
  return { audience: 'everybody', ...page };
}
