import { filterAction, type FilterContext, filterContext } from '#events/filters.ts';
import { type FieldProblems, UNKNOWN } from '#kernel/field-problems.ts';
import { timeAfter } from '#kernel/time.ts';
import type { ExistingFilter, FilterSettings } from './filter.ts';
import type { SettingsInput } from './input.ts';
import { checkText } from './text.ts';

/** https://docs.joinmastodon.org/methods/filters/; the maximum is Mastodon's, in characters. */
export const MAX_TITLE = 256;

const NO_CONTEXT = { error: 'ERR_INVALID', description: 'None or invalid context supplied' };

/**
 * Returns the given settings; a new filter needs a title and a context. Problems go to `problems`, and the
 * result is then meaningless. `expires_in` counts from `now`, ISO 8601.
 */
export function checkSettings(
  input: SettingsInput,
  { isNew, now }: { isNew: boolean; now: string },
  problems: FieldProblems,
): Partial<FilterSettings> {
  const settings: Partial<FilterSettings> = {};
  if (input.filter_action !== undefined) {
    const { data } = filterAction.safeParse(input.filter_action);
    if (data) settings.filter_action = data;
    else problems.add('action', UNKNOWN);
  }
  if (isNew || input.title !== undefined) {
    settings.title = input.title ?? '';
    checkText('title', settings.title, MAX_TITLE, problems);
  }
  if (isNew || input.context !== undefined) {
    settings.context = checkContext(input.context ?? [], problems);
  }
  if (input.expires_in !== undefined) settings.expires_at = expiryOf(input.expires_in, now);
  return settings;
}

/** Returns each context once. */
export function checkContext(names: readonly string[], problems: FieldProblems): FilterContext[] {
  const contexts = names.flatMap((name) => filterContext.safeParse(name.trim()).data ?? []);
  if (names.length === 0) problems.add('context', { error: 'ERR_BLANK', description: "can't be blank" });
  if (names.length === 0 || contexts.length < names.length) problems.add('context', NO_CONTEXT);
  return [...new Set(contexts)];
}

/** Returns a time `seconds` from now; null for never. */
export const expiryOf = (seconds: number | null, now: string): string | null =>
  seconds === null ? null : timeAfter(now, seconds * 1_000);

/** Returns the given settings that differ from the present ones. */
export function changedSettings(
  filter: ExistingFilter,
  given: Partial<FilterSettings>,
): Partial<FilterSettings> {
  const entries = Object.entries(given) as [keyof FilterSettings, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => comparable(value) !== comparable(filter[name])),
  );
}

/** The order of contexts has no meaning. */
const comparable = (value: unknown): string =>
  JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
