import type { FileLimits } from '../../http/bodies.ts';
import type { RequestContext, Viewer } from '../../../kernel/context.ts';
import type { RateLimit, UploadedFile } from '../../../kernel/endpoint.ts';
import type { Session } from '../../oauth/sessions.ts';
import type { SignInDependencies } from '../../oauth/sign-in.ts';
import type { Page } from '../public/frame.ts';

/** What pages for accounts need besides a context. */
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
  /** Who is signed in in this browser, and may be. */
  user: Viewer | undefined;
  /** Who is signed in in this browser and may do nothing yet: the address is not confirmed, or staff has not looked. */
  newcomer: Viewer | undefined;
  /** Who is signed in in this browser and whom staff keep out: a visitor of the few pages that say `shutOutToo`. */
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

/** The same where somebody is signed in. */
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
  /** Another cookie, as the header has it. */
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
 * A page about somebody's own account. What `submit` throws that the visitor can mend (`invalid`, `forbidden`, too many tries) is said by
 * `show`, above the form. CSRF tokens, limits and sign-in are seen to before either is called.
 */
export interface PageOf<V extends SettingsRequest> {
  path: string;
  /** Its line in the overview; absent for what is no topic of its own. */
  listed?: { title: string; text: string };
  show: (request: V, tried?: Tried) => Promise<SettingsResponse> | SettingsResponse;
  /** A link that was mailed leads here: it says who uses it, whoever is signed in in the browser, so nobody is the actor. */
  byMail?: true;
  /** Its form does what apps do in somebody's name, so not for an account that leads to another one. */
  acts?: true;
  /** Of users, also for those whom staff keep out: about that, and about taking along what is theirs. */
  shutOutToo?: true;
  /** Of a form that carries files; without it one that does is refused. They are gone after `submit`. */
  files?: FileLimits;
  submit?: (request: V, fields: Fields, files: Files) => Promise<SettingsResponse>;
}

export type AccountPage =
  ({ audience: 'users' } & PageOf<SignedInRequest>) | ({ audience: 'everybody' } & PageOf<SettingsRequest>);

/** A page for who is signed in; others sign in first and come back. */
export const userPage = (page: PageOf<SignedInRequest>): AccountPage => ({ audience: 'users', ...page });

/** A page for everybody. */
export const openPage = (page: PageOf<SettingsRequest>): AccountPage => ({ audience: 'everybody', ...page });
