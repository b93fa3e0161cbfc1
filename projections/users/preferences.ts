import { UserPreferencesChanged } from '#events/accounts.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { USERS } from './table.ts';

const CHANGE_PREFERENCES = USERS.patch(
  'locale',
  'privacy',
  'sensitive',
  'language',
  'quote_policy',
  'expand_media',
  'expand_spoilers',
  'aggregate_reblogs',
  'autoplay_gifs',
);

/** The preferences of users; events have only changed ones. */
export const preferencesHandler: BoundHandler = on(UserPreferencesChanged, {
  keys: ({ data }) => [data.account_id],
  apply: CHANGE_PREFERENCES.each(({ data }) => data),
});
