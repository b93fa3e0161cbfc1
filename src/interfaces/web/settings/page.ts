import type { FileLimits } from '../../http/bodies.ts';
import type { RequestContext, Viewer } from '../../../kernel/context.ts';
import type { RateLimit, UploadedFile } from '../../../kernel/endpoint.ts';
import type { Session } from '../../oauth/sessions.ts';
import type { SignInDependencies } from '../../oauth/sign-in.ts';
import type { Page } from '../public/frame.ts';

/** The dependencies of pages for accounts besides a context. */
export interface AccountServices extends SignInDependencies {
  /** Counts a try; `key` says of what: `ip:...`, `login:...`. @throws RookeryError `too_many_requests` */
  limit: (kind: Exclude<RateLimit, 'none'>, key: string) => Promise<void>;
  /** Counts against an IP address, together with the endpoints that do the same. @throws RookeryError `too_many_requests` */
  limitAddress: (kind: RateLimit, ip: string) => Promise<unknown>;
  /** Counts against a user, together with the endpoints that do the same. @throws RookeryError `too_many_requests` */
  limitUser: (kind: Exclude<RateLimit, 'none'>, user: { ip: string; accountId: string }) => Promise<unknown>;
}

/** A request for a page, as its maker sees it. */
export interface SettingsRequest {
  /** In the name of the user or newcomer where one is signed in, unless the page has `byMail`. */
  ctx: RequestContext;
  /** The user who is signed in in this browser and may use the account. */
  user: Viewer | undefined;
  /**
   * The user who is signed in in this browser and cannot act yet: the address is unconfirmed, or staff has
   * not approved.
   */
  newcomer: Viewer | undefined;
  /**
   * The user who is signed in in this browser and is locked out by staff: a visitor of the few pages that
   * declare `shutOutToo`.
   */
  shutOut: Viewer | undefined;
  session: Session;
  /** Goes into every form; `form` does it. */
  csrf: string;
  /** The path as it was asked for, without the query. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** A cookie as the browser sent it. */
  cookie: (name: string) => string | undefined;
  services: AccountServices;
}

/** The same with a signed-in user. */
export type SignedInRequest = SettingsRequest & { user: Viewer };

/** The fields of a form, all of them short texts. */
export type Fields = Readonly<Record<string, string>>;

/** Files of a form, by the name of their field. */
export type Files = Readonly<Record<string, UploadedFile | undefined>>;

/** A form that was sent and not taken: what is wrong with it, and what was in it. */
export interface Tried {
  problems: readonly string[];
  /** Those of them that are about one field, by its name. */
  byField?: Readonly<Record<string, readonly string[]>>;
  fields: Fields;
}

export type SettingsResponse = (
  | (Page & { status?: number })
  /** To a path of this server, or to an address that was looked at already; by GET. */
  | { redirect: string }
  /** To be kept under that name, sent as it is made. */
  | KeptFile
) & {
  headers?: Record<string, string>;
  /** From now on that of this browser. */
  session?: Session;
  /** Another cookie, in the header's form. */
  setCookie?: string;
};

/** A file to be kept. */
export interface KeptFile {
  file: string;
  type: string;
  content: AsyncIterable<string | Buffer>;
  /** Names content that never changes and whose `size` in bytes is known: who was cut off may ask for the rest. */
  whole?: { tag: string; size: number };
}

/**
 * A page about the user's own account. `show` displays errors of `submit` that the visitor can correct
 * (`invalid`, `forbidden`, too many tries) above the form. CSRF tokens, limits and sign-in are checked before
 * either is called.
 */
export interface PageOf<V extends SettingsRequest> {
  path: string;
  /** Its line in the overview; absent for what is no topic of its own. */
  listed?: { title: string; text: string };
  show: (request: V, tried?: Tried) => Promise<SettingsResponse> | SettingsResponse;
  /**
   * A mailed link leads here and names the user, regardless of the browser's session, so the page acts
   * without an actor.
   */
  byMail?: true;
  /**
   * Its form acts like an app in the user's name, so it is refused for an account that redirects to another
   * one.
   */
  acts?: true;
  /** Also for users whom staff lock out: pages about that, and about exporting their data. */
  shutOutToo?: true;
  /**
   * The limits of a form with files; without it a form with files is refused. The files are removed after
   * `submit`.
   */
  files?: FileLimits;
  submit?: (request: V, fields: Fields, files: Files) => Promise<SettingsResponse>;
}

export type AccountPage =
  ({ audience: 'users' } & PageOf<SignedInRequest>) | ({ audience: 'everybody' } & PageOf<SettingsRequest>);

/** A page for who is signed in; others sign in first and come back. */
export const userPage = (page: PageOf<SignedInRequest>): AccountPage => ({ audience: 'users', ...page });

/** A page for everybody. */
export const openPage = (page: PageOf<SettingsRequest>): AccountPage => ({ audience: 'everybody', ...page });
