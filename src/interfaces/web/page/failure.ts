import { ZodError } from 'zod';
import { errorReply } from '../../http/errors.ts';
import { isRookeryError } from '../../../kernel/errors.ts';
import { box } from '../design/components.ts';
import type { Page } from './frame.ts';
import { html } from '../design/html.ts';

const TEXTS: Readonly<Record<number, readonly [title: string, text: string]>> = {
  401: [
    'For members only',
    'This is shown only to members of this server, in an app where they are signed in.',
  ],
  404: ['Not found', 'There is no such page.'],
  410: ['Gone', 'What was here was deleted, or its account is suspended.'],
  413: ['Too large', 'What was sent is too large. Go back in your browser to find what you typed.'],
  429: ['Too many requests', 'Please wait a few minutes.'],
  503: ['Not now', 'Please try again in a moment.'],
};
const OTHER = ['Not possible', 'This address cannot be understood.'] as const;

/** Returns the page for an error that visitors may see; undefined for internal errors. */
export function failurePage(
  error: unknown,
): { status: number; headers: Record<string, string>; page: Page } | undefined {
  if (!isRookeryError(error) && !(error instanceof ZodError)) return undefined;
  const { status, headers } = errorReply(error);
  if (status === 500) return undefined;
  const [title, text] = TEXTS[status] ?? OTHER;
  return { status, headers, page: { title, hidden: true, body: box(title, html`<p>${text}</p>`) } };
}
