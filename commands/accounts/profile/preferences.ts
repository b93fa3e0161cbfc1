import { type FieldProblems, UNKNOWN } from '#kernel/field-problems.ts';
import { postLanguage } from '#mastodon/languages.ts';
import type { Preferences } from '../account.ts';

/**
 * Preferences in a request. Members that are absent, null or (but for the language) empty keep their value.
 */
export interface PreferencesInput {
  privacy?: string | null | undefined;
  sensitive?: boolean | null | undefined;
  language?: string | null | undefined;
  quote_policy?: string | null | undefined;
  expand_media?: string | null | undefined;
  expand_spoilers?: boolean | null | undefined;
  aggregate_reblogs?: boolean | null | undefined;
  autoplay_gifs?: boolean | null | undefined;
}

export const PRIVACIES = ['public', 'unlisted', 'private'] as const;
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const;
export const EXPANDED_MEDIA = ['default', 'show_all', 'hide_all'] as const;

/** Checks the changes. Notes problems under the name that `label` returns. */
export function checkPreferences(
  input: PreferencesInput,
  problems: FieldProblems,
  label: (name: keyof PreferencesInput) => string,
): Partial<Preferences> {
  const preferences: Partial<Preferences> = {};
  const oneOf = <T extends string>(
    name: keyof PreferencesInput,
    value: string,
    known: readonly [T, ...T[]],
  ): T => {
    const found = known.find((each) => each === value);
    if (found === undefined) problems.add(label(name), UNKNOWN);
    return found ?? known[0];
  };
  if (input.privacy) preferences.privacy = oneOf('privacy', input.privacy, PRIVACIES);
  if (input.quote_policy) {
    preferences.quote_policy = oneOf('quote_policy', input.quote_policy, QUOTE_POLICIES);
  }
  if (input.expand_media)
    preferences.expand_media = oneOf('expand_media', input.expand_media, EXPANDED_MEDIA);
  if (input.sensitive != null) preferences.sensitive = input.sensitive;
  if (input.expand_spoilers != null) preferences.expand_spoilers = input.expand_spoilers;
  if (input.aggregate_reblogs != null) preferences.aggregate_reblogs = input.aggregate_reblogs;
  if (input.autoplay_gifs != null) preferences.autoplay_gifs = input.autoplay_gifs;
  // The empty text removes the default language.
  if (input.language !== undefined) {
    preferences.language = postLanguage(input.language);
    if (input.language && preferences.language === null) problems.add(label('language'), UNKNOWN);
  }
  return preferences;
}
