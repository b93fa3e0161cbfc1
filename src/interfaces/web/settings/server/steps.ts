import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { type Step, stepAfter, stepsOf } from '#interfaces/web/design/steps.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { HOME } from '#interfaces/web/page/layout.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import {
  type PageOf,
  type SignedInRequest,
  type Tried,
  userPage,
  type WebPage,
  type WebResponse,
} from '#interfaces/web/page/page.ts';
import { summaryOf } from '#interfaces/web/page/refusals.ts';
import { settingsNav } from '#interfaces/web/page/settings-nav.ts';
import { forbidden } from '#kernel/errors.ts';
import { mayDo, type Permission } from '#mastodon/permissions.ts';

export const SERVER = '/start/server';
export const RULES = '/start/server/rules';
export const REGISTRATIONS = '/start/server/registrations';
export const MAIL = '/start/server/mail';
export const BACKUP = '/start/server/backup';

const STEPS: readonly Step[] = [
  { path: SERVER, title: 'Name' },
  { path: RULES, title: 'Rules' },
  { path: REGISTRATIONS, title: 'Sign-ups' },
  { path: MAIL, title: 'Mail' },
  { path: BACKUP, title: 'Backup' },
];

/** Returns the page after this step. */
export const afterStep = (path: string): string => stepAfter(STEPS, path, HOME);

/** Declares a page for staff with this permission. @throws RookeryError `forbidden` for others */
export function staffPage(
  permission: Permission,
  { show, submit, ...page }: PageOf<SignedInRequest>,
): WebPage {
  const demand = ({ user }: SignedInRequest): void => {
    if (!mayDo(user.role, permission)) throw forbidden('Your role does not allow this.');
  };
  return userPage({
    ...page,
    show: (request, tried) => {
      demand(request);
      return show(request, tried);
    },
    ...(submit && {
      submit: (request, ...sent) => {
        demand(request);
        return submit(request, ...sent);
      },
    }),
  });
}

/** Renders a step: its boxes, and the way to the next one unless its form leads there. */
export const stepPage = (
  request: SignedInRequest,
  title: string,
  boxes: readonly Part[],
  { tried, hasForm = false }: { tried?: Tried | undefined; hasForm?: boolean } = {},
): WebResponse => ({
  title,
  hidden: true,
  nav: settingsNav(request.user, SERVER),
  body: html`<h1>${title}</h1>
    ${stepsOf('Set up the server', STEPS, request.path)} ${noticeBox(request)}
    ${problemBox(tried && { ...tried, problems: summaryOf(tried) })}
    ${boxes.map((box) => box !== false && box !== undefined && html`<section class="box">${box}</section>`)}
    ${hasForm ? undefined : onwards(request.path)}`,
});

/** Renders the link to the next step. */
function onwards(path: string): Html {
  const next = afterStep(path);
  return html`<p class="buttons">${buttonLink(next, next === HOME ? 'Go to home' : 'Continue')}</p>`;
}

/** Renders the buttons at the end of a form. */
export const saveButtons = (path: string): Html =>
  html`<p class="buttons">
    <button type="submit">Save and continue</button>
    ${buttonLink(afterStep(path), 'Skip', { look: 'plain' })}
  </p>`;
