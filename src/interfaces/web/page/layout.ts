import { carrying, STRIKES } from '#interfaces/oauth/sign-in.ts';
import { type Html, html, type Part } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { form, problemBox } from './forms.ts';
import type { Page } from './frame.ts';
import { noticeBox } from './notices.ts';
import type { SignedInRequest, Tried, WebRequest } from './page.ts';
import { settingsNav } from './settings-nav.ts';

/** Returns a page of one box, for visitors who are not signed in. */
export const plainPage = (request: WebRequest, title: string, body: Part, tried?: Tried): Page => ({
  title,
  hidden: true,
  body: html`<section class="box slim">
    <h1>${title}</h1>
    ${noticeBox(request)}${problemBox(tried)}${body}
  </section>`,
});

/**
 * Returns a page of the settings: their navigation, its boxes, and on phones a link back. `content` has boxes
 * of its own.
 */
export function settingsPage(
  request: SignedInRequest,
  title: string,
  boxes: readonly Part[],
  tried?: Tried,
  content?: Part,
): Page {
  const { path, user, lockedOut } = request;
  const isTopic = path.startsWith(`${SETTINGS}/`) && !lockedOut;
  const isOverview = path === SETTINGS;
  return {
    title,
    hidden: true,
    ...((isTopic || isOverview) && { nav: settingsNav(user, path) }),
    body: html`${isTopic && html`<p class="phone-only back"><a href="${SETTINGS}">${icon('arrow-left')}Settings</a></p>`}
      <h1>${title}</h1>
      ${noticeBox(request)}${problemBox(tried)}
      ${boxes.map((box) => box !== false && box !== undefined && html`<section class="box">${box}</section>`)}
      ${content} ${signedInAs(request)}`,
  };
}

export const SETTINGS = '/settings';
export const HOME = '/home';
/** The first steps of a new user. */
export const START = '/start';
export const SIGN_IN = '/auth/sign_in';
export const SECOND_STEP = '/auth/second_step';
export const SIGN_OUT = '/auth/sign_out';

/** Returns the default destination after signing in. A user who has moved may not use the API, which home asks. */
export function homeOf({
  lockedOut = false,
  moved = false,
}: {
  lockedOut?: boolean;
  moved?: boolean;
}): string {
  if (lockedOut) return STRIKES;
  return moved ? SETTINGS : HOME;
}

/** Returns the sign-in page that leads on to a local path. */
export const signInThen = (path: string | undefined): string => carrying(SIGN_IN, path);

/** Returns the page of the second step that leads on to a local path. */
export const secondStepThen = (path: string | undefined): string => carrying(SECOND_STEP, path);

/** Returns the sign-in page for a path: the page of OAuth has its own. */
export const signInFor = (path: string | undefined): string =>
  path?.startsWith('/oauth/authorize?') ? path : signInThen(path);

export const signOutButton = (request: WebRequest, label = 'Sign out'): Html =>
  form(request, html`<button type="submit" class="plain">${label}</button>`, { action: SIGN_OUT });

/** Returns `@alice@far.example`, also for local accounts. */
export const handleOfKnown = (
  { ctx }: WebRequest,
  { username, domain }: { username: string; domain: string | null },
): string => `@${username}@${domain ?? ctx.instance.domain}`;

export const signedInAs = (request: SignedInRequest): Html =>
  html`<section class="box signed-in" aria-label="This browser">
    <p>
      Signed in as
      <strong>${handleOfKnown(request, { username: request.user.username, domain: null })}</strong>
    </p>
    ${signOutButton(request)}
  </section>`;
