import type { PathParams } from '#kernel/endpoint.ts';
import { notFound, RookeryError } from '#kernel/errors.ts';
import { mayDo, type Permission, rolesThatMay } from '#mastodon/permissions.ts';
import { consoleScript, consoleStyle } from '../browser/console/assets.ts';
import { backLink, emptyState, pageHead } from '../design/components.ts';
import { type Html, html, type Part } from '../design/html.ts';
import { consoleNav, foldedNav, isStaff } from '../page/console-nav.ts';
import { problemBox } from '../page/forms.ts';
import { noticeBox } from '../page/notices.ts';
import {
  type PageOf,
  type SignedInRequest,
  type Tried,
  userPage,
  type WebPage,
  type WebResponse,
} from '../page/page.ts';
import { SEARCH } from './addresses.ts';
import { menuCounts } from './counts.ts';
import { PERMISSION_TEXTS } from './roles/permission-texts.ts';

/** The content of a page of the console. */
export interface ConsoleContent {
  title: string;
  /** The page above, and its name. */
  back?: readonly [href: string, text: string];
  body: Html;
  /** Beside the title. */
  actions?: Part;
  status?: number;
}

type Shown = ConsoleContent | Exclude<WebResponse, { title: string }>;

type Submitted<R extends SignedInRequest> = Parameters<NonNullable<PageOf<R>['submit']>>;

/** A page of the console. `show` may also answer with a redirect, a part for the script, or a file. */
interface ConsolePage<R extends SignedInRequest = SignedInRequest, Path extends string = string> extends Omit<
  PageOf<R, Path>,
  'show' | 'submit' | 'orPublic' | 'acts'
> {
  /** The permission that the page needs, besides those of the endpoints that it calls. */
  permission: Permission;
  show: (request: R, tried?: Tried) => Promise<Shown> | Shown;
  /** May also answer with a page, where the form is not to be shown again. */
  submit?: (...form: Submitted<R>) => Promise<Shown>;
}

/**
 * Declares a page of the console, which asks the API in the name of the signed-in user. Users without a role get
 * 404, and roles without the permission 403.
 */
export function consolePage<const Path extends string>(
  page: ConsolePage<SignedInRequest<PathParams<Path>>, Path>,
): WebPage;
export function consolePage({ permission, show, submit, ...page }: ConsolePage): WebPage {
  return userPage({
    ...page,
    show: (request, tried) =>
      orRefused(request, async () => {
        admit(request, permission);
        const shown = await show(request, tried);
        return 'title' in shown ? framed(request, shown, tried) : shown;
      }),
    ...(submit && {
      submit: (request, ...form) =>
        orRefused(request, async () => {
          admit(request, permission);
          const answer = await submit(request, ...form);
          return 'title' in answer ? framed(request, answer, undefined) : answer;
        }),
    }),
  });
}

/** The role of the user lacks a permission. */
class PermissionMissing extends RookeryError {
  readonly permission: Permission;

  constructor(permission: Permission) {
    super('forbidden', 'Your role does not allow this');
    this.permission = permission;
  }
}

/** @throws RookeryError `not_found` for users without a role, `forbidden` for roles without the permission */
export function admit({ user }: SignedInRequest, permission: Permission): void {
  if (!isStaff(user.role)) throw notFound();
  if (!mayDo(user.role, permission)) throw new PermissionMissing(permission);
}

/** Names the missing permission, in the frame of the console. */
async function orRefused(request: SignedInRequest, answer: () => Promise<WebResponse>): Promise<WebResponse> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof PermissionMissing)) throw error;
    return framed(request, refusal(request, error.permission), undefined);
  }
}

function refusal({ user }: SignedInRequest, permission: Permission): ConsoleContent {
  const name = PERMISSION_TEXTS[permission] ?? permission;
  const roles = rolesThatMay(permission).filter(Boolean).join(', ');
  return {
    title: 'Not allowed',
    status: 403,
    body: emptyState({
      icon: 'lock',
      text: html`Your role ${user.role ?? ''} lacks the permission
        <strong>${name}</strong> (<code>${permission}</code>). Roles with it: ${roles}.`,
    }),
  };
}

/** The search in the top bar of the console. */
const SEARCH_BOX = { action: SEARCH, name: 'q', label: 'Search the console' };

async function framed(
  request: SignedInRequest,
  { title, back, body, actions, status }: ConsoleContent,
  tried: Tried | undefined,
): Promise<WebResponse> {
  const { user, path } = request;
  const counts = await menuCounts(request);
  return {
    title: `${title} - Console`,
    hidden: true,
    wide: true,
    search: SEARCH_BOX,
    nav: consoleNav(user.role, path, counts),
    head: html`<link rel="stylesheet" href="${consoleStyle.path}" />
      <script type="module" src="${consoleScript.path}"></script>`,
    body: html`<div class="console">
      ${foldedNav(user.role, path, counts)} ${back && backLink(...back)} ${pageHead(title, actions)}
      ${noticeBox(request)} ${problemBox(tried)} ${body}
    </div>`,
    ...(status !== undefined && { status }),
  };
}
