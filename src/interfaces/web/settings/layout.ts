import { carrying, STRIKES } from '../../oauth/sign-in.ts';
import type { Page } from '../public/frame.ts';
import { html, type Html, type Part } from '../public/html.ts';
import { form, problemBox } from './forms.ts';
import { noticeBox } from './notices.ts';
import type { Tried, SignedInRequest, SettingsRequest } from './page.ts';

/** A page of one box, for who is not signed in yet. */
export const plainPage = (request: SettingsRequest, title: string, body: Part, tried?: Tried): Page => ({
  title,
  hidden: true,
  body: html`<section class="box">
    <h1>${title}</h1>
    ${noticeBox(request)}${problemBox(tried)}${body}
  </section>`,
});

/** A page of the settings: a way back, its boxes, who is signed in. */
export const settingsPage = (
  request: SignedInRequest,
  title: string,
  boxes: readonly Part[],
  tried?: Tried,
): Page => ({
  title,
  hidden: true,
  body: html`${request.path !== SETTINGS && !request.shutOut && html`<p><a href="${SETTINGS}">Settings</a></p>`}
    <h1>${title}</h1>
    ${noticeBox(request)}${problemBox(tried)}
    ${boxes.map((box) => box !== false && box !== undefined && html`<section class="box">${box}</section>`)}
    ${signedInAs(request)}`,
});

export const SETTINGS = '/settings';
export const SIGN_IN = '/auth/sign_in';
export const SECOND_STEP = '/auth/second_step';
export const SIGN_OUT = '/auth/sign_out';

/** Where who has just signed in goes, if nowhere else. */
export const homeOf = ({ shutOut }: { shutOut: boolean }): string => (shutOut ? STRIKES : SETTINGS);

/** Returns the sign-in page that leads on to a local path. */
export const signInThen = (path: string | undefined): string => carrying(SIGN_IN, path);

/** The page of the second step that does so. */
export const secondStepThen = (path: string | undefined): string => carrying(SECOND_STEP, path);

/** Where to sign in for a path: the page of OAuth asks by itself. */
export const signInFor = (path: string | undefined): string =>
  path?.startsWith('/oauth/authorize?') ? path : signInThen(path);

export const signOutButton = (request: SettingsRequest, label = 'Sign out'): Html =>
  form(request, html`<button type="submit" class="plain">${label}</button>`, { action: SIGN_OUT });

/** `@alice@far.example`, also of accounts of this server. */
export const handleOfKnown = (
  { ctx }: SettingsRequest,
  { username, domain }: { username: string; domain: string | null },
): string => `@${username}@${domain ?? ctx.instance.domain}`;

const signedInAs = (request: SignedInRequest): Html =>
  html`<section class="box" aria-label="This browser">
    <p class="quiet">
      Signed in as
      <strong>${handleOfKnown(request, { username: request.user.username, domain: null })}</strong>.
    </p>
    ${signOutButton(request)}
  </section>`;
