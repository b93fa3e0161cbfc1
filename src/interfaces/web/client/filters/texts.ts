import type { Filter } from '#mastodon/schemas/index.ts';

/** Where a filter applies, by Mastodon's names. */
export const CONTEXTS: Readonly<Record<Filter['context'][number], string>> = {
  home: 'Home and lists',
  notifications: 'Notifications',
  public: 'Public timelines',
  thread: 'Conversations',
  account: 'Profiles',
};

/** The effects on a post that matches. */
export const ACTIONS: Readonly<Record<Filter['filter_action'], { label: string; hint: string }>> = {
  warn: { label: 'Hide with a warning', hint: 'The post is closed, with the title of the filter on it' },
  blur: { label: 'Hide media with a warning', hint: 'The text is shown, the media are closed' },
  hide: { label: 'Hide completely', hint: 'As if the post did not exist' },
};

/** How long a filter lasts, in seconds; empty for ever. */
export const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '21600', label: '6 hours' },
  { value: '43200', label: '12 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '1 week' },
] as const;

/** The choice that leaves the end of a filter as it is. */
export const KEEP = 'keep';
