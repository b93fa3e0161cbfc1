import type { Choice } from '#interfaces/web/design/choice-fields.ts';
import type { AdminAccount, QueuedReport } from '#mastodon/schemas/index.ts';
import type { WORDS_OF_STRIKES } from '#mastodon/strike-words.ts';

/** The categories of reports, in the words of Mastodon. */
export const CATEGORIES: Readonly<Record<QueuedReport['category'], string>> = {
  spam: 'Spam',
  legal: 'Legal',
  violation: 'Rule violation',
  other: 'Other',
};

/** Where accounts of a list may be from, by the words of the API. */
export const ORIGINS: readonly Choice[] = [
  { value: '', label: 'Any server' },
  { value: 'local', label: 'This server' },
  { value: 'remote', label: 'Other servers' },
];

export type StrikeAction = keyof typeof WORDS_OF_STRIKES;

/** The actions of strikes, as moderators read them. */
export const STRIKE_NAMES: Readonly<Record<StrikeAction, string>> = {
  none: 'Warning',
  delete_statuses: 'Posts deleted',
  mark_statuses_as_sensitive: 'Posts marked as sensitive',
  disable: 'Frozen',
  sensitive: 'Marked as sensitive',
  silence: 'Limited',
  suspend: 'Suspended',
};

/** Names a strike as its action stands in the log, which may be an older one. */
export const strikeName = (action: string): string =>
  Object.hasOwn(STRIKE_NAMES, action) ? STRIKE_NAMES[action as StrikeAction] : action;

/** The states of an account that staff imposed, or that wait for staff. */
export function statesOf(account: AdminAccount): (readonly [text: string, look?: 'bad' | 'busy'])[] {
  const { approved, confirmed, disabled, silenced, suspended, sensitized } = account;
  const states = [
    !approved && (['Pending', 'busy'] as const),
    !confirmed && (['E-mail not confirmed', 'busy'] as const),
    suspended && (['Suspended', 'bad'] as const),
    disabled && (['Frozen', 'bad'] as const),
    silenced && (['Limited', 'bad'] as const),
    sensitized && (['Sensitive', 'bad'] as const),
  ];
  return states.filter((state) => state !== false);
}
