import { ZodError } from 'zod';
import { errorReply } from '#interfaces/http/errors.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { ReadModelHalted } from '#kernel/read-model-halted.ts';
import { mayDo } from '#mastodon/permissions.ts';
import { buttonLink, emptyState } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import type { IconName } from '../design/icons.ts';
import type { Page } from './frame.ts';
import { HOME, signInThen } from './layout.ts';

interface Text {
  title: string;
  text: string;
  icon: IconName;
}

const TEXTS: Readonly<Record<number, Text>> = {
  401: {
    title: 'For members only',
    text: 'Only people with an account on this server can see this.',
    icon: 'lock',
  },
  403: {
    title: 'Not available',
    text: 'This is not for you to see, or its account is suspended.',
    icon: 'ban',
  },
  404: { title: 'Not found', text: 'There is no page at this address.', icon: 'search' },
  410: { title: 'Gone', text: 'What was here was deleted, or its account is suspended.', icon: 'trash-2' },
  413: {
    title: 'Too large',
    text: 'This is too large to send. Go back in your browser to find what you typed.',
    icon: 'triangle-alert',
  },
  429: { title: 'Too many requests', text: 'Please wait a few minutes.', icon: 'clock' },
  503: { title: 'Not now', text: 'Please try again in a moment.', icon: 'clock' },
};
const MOVED: Text = {
  title: 'Your account has moved',
  text: 'It leads to another one. To use it here again, take that back under Moving away.',
  icon: 'truck',
};
const OTHER: Text = {
  title: 'Not possible',
  text: 'This address cannot be understood.',
  icon: 'triangle-alert',
};

/** The visitor whom a failure meets. */
interface Met {
  isUser: boolean;
  role?: string | null | undefined;
  /** The account leads to another one, so it may not use the API. */
  hasMoved?: boolean;
  /** The local path to try again or to come back to; absent after a form. */
  here?: string | undefined;
}

/** Returns the page for an error that visitors may see; undefined for internal errors. */
export function failurePage(
  error: unknown,
  met: Met = { isUser: false },
): { status: number; headers: Record<string, string>; page: Page } | undefined {
  if (!isRookeryError(error) && !(error instanceof ZodError)) return undefined;
  const { status, headers } = errorReply(error);
  if (status === 500) return undefined;
  if (error instanceof ReadModelHalted) return { status, headers, page: haltedPage(error, met) };
  const { title, text, icon } = (status === 403 && met.hasMoved ? MOVED : TEXTS[status]) ?? OTHER;
  const body = html`<h1 class="hush">${title}</h1>
    ${emptyState({ icon, text: html`<strong>${title}</strong><br />${text}`, more: wayOn(status, met) })}`;
  return { status, headers, page: { title, hidden: true, body } };
}

/** Says what the operator does; staff who may do it get a link. */
function haltedPage({ readModel }: ReadModelHalted, { isUser, role = null, here }: Met): Page {
  const title = 'Not now';
  const text = html`<strong>${title}</strong><br />The projection ${readModel} is halted, so this page cannot
    be shown. The operator of this server mends it: <code>rookery projections show ${readModel}</code> says
    why, and <code>rookery projections retry</code> tries again.`;
  const mend =
    isUser && mayDo(role, 'view_devops') && buttonLink(`/admin/projections/${readModel}`, 'Mend it');
  const body = html`<h1 class="hush">${title}</h1>
    ${emptyState({ icon: 'clock', text, more: html`${mend && html`<p class="buttons">${mend}</p>`}${wayOn(503, { isUser, here })}` })}`;
  return { title, hidden: true, body };
}

/** Renders the next step of the visitor. */
function wayOn(status: number, { isUser, hasMoved, here }: Met): Html {
  if (hasMoved) return html`<p class="buttons">${buttonLink('/settings/migration', 'Moving away')}</p>`;
  const home = buttonLink(isUser ? HOME : '/', isUser ? 'Home' : 'Front page', { look: 'plain' });
  const first =
    status === 401 && !isUser
      ? buttonLink(signInThen(here), 'Sign in')
      : (status === 429 || status === 503) && here !== undefined && buttonLink(here, 'Try again');
  return html`<p class="buttons">${first} ${home}</p>`;
}
