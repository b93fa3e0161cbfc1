import type { Instance } from '#kernel/context.ts';
import { formStringArray } from '#kernel/input.ts';
import { escapeHtml } from '#mastodon/html.ts';
import { NOTIFICATION_TYPES, type NotificationType } from '#mastodon/notification-types.ts';
import type { Account, NotificationFallback } from '#mastodon/schemas/index.ts';
import type { AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { NOTIFICATION_TITLES } from './titles.ts';

/** The types that the client can show. https://docs.joinmastodon.org/methods/notifications/#get */
export const supportedTypesParameter = {
  supported_types: formStringArray(50, 60, { words: NOTIFICATION_TYPES })
    .optional()
    .describe('Types of notifications that the app can show; others come with words to show instead.'),
};

/** Types that every app knows have no fallback, as in Mastodon. */
const WITH_FALLBACK: ReadonlySet<string> = new Set<NotificationType>([
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
  'added_to_collection',
  'collection_update',
]);

/**
 * Returns the member `fallback`, as text with a comma before it: words for a client that declares the types
 * it supports, for a type that it does not. `others` is the number of further accounts. Empty when no
 * fallback is needed. https://docs.joinmastodon.org/entities/NotificationFallback/
 */
export function fallbackMember(
  type: string,
  supported: readonly string[] | undefined,
  from: AccountRow | undefined,
  instance: Instance,
  others = 0,
): string {
  if (!supported || !from || !WITH_FALLBACK.has(type) || supported.includes(type)) return '';
  const account = JSON.parse(fillOrigins(`{${from.account_body}}`, instance)) as Account;
  const fallback: NotificationFallback = {
    title: NOTIFICATION_TITLES[type as NotificationType](linkTo(account) + andOthers(others)),
    summary: `Your app does not know this kind of notification. An app for Mastodon 4.6 shows more of it.`,
    details: null,
  };
  return `,"fallback":${JSON.stringify(fallback)}`;
}

const linkTo = ({ display_name, username, url, uri }: Account): string =>
  `<a href="${escapeHtml(url ?? uri)}">${escapeHtml(display_name === '' ? username : display_name)}</a>`;

const andOthers = (others: number): string =>
  others === 0 ? '' : others === 1 ? ' and one other' : ` and ${others} others`;
