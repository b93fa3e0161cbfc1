import type { Filter } from '../../../../mastodon/schemas/index.ts';

/** Where a filter applies, by Mastodon's names. */
export const CONTEXTS: Readonly<Record<Filter['context'][number], string>> = {
  home: 'Home and lists',
  notifications: 'Notifications',
  public: 'Public timelines',
  thread: 'Conversations',
  account: 'Profiles',
};

/** What happens to a post that matches. */
export const ACTIONS: Readonly<Record<Filter['filter_action'], { name: string; text: string }>> = {
  warn: { name: 'Hide with a warning', text: 'The post is closed, with the title of the filter on it' },
  blur: { name: 'Hide media with a warning', text: 'The text is shown, the media are closed' },
  hide: { name: 'Hide completely', text: 'As if the post did not exist' },
};

/** How long a filter lasts, in seconds; empty for ever. */
export const EXPIRIES = [
  ['', 'Never'],
  ['1800', '30 minutes'],
  ['3600', '1 hour'],
  ['21600', '6 hours'],
  ['43200', '12 hours'],
  ['86400', '1 day'],
  ['604800', '1 week'],
] as const;

/** The choice that leaves the end of a filter as it is. */
export const KEEP = 'keep';
