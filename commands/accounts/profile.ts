import { isDeepStrictEqual } from 'node:util';
import type { AccountEvent, Profile } from '../../src/events/accounts.ts';
import { languageCode } from '../../src/kernel/language.ts';
import { countCharacters, countGraphemes } from '../text/count.ts';
import { formatField, formatNote } from '../text/format-note.ts';
import type { FormatContext } from '../text/format.ts';
import { requireUser, type Account, type Preferences } from './account.ts';
import { FieldProblems, tooLong, UNKNOWN } from './field-problems.ts';
import type { UpdateInput } from './profile-input.ts';

/** https://docs.joinmastodon.org/methods/accounts/#update_credentials and the figures of Mastodon's instance page. */
export const MAX_DISPLAY_NAME = 30;
export const MAX_NOTE = 500;
export const MAX_FIELDS = 4;
export const MAX_FIELD_TEXT = 255;

export type Pictures = Partial<Record<'avatar' | 'header', NonNullable<Profile['avatar']>>>;

/** What a request wants to change, checked. Members that are absent stay as they are. */
export interface ProfileChanges {
  display_name?: string;
  note?: string;
  fields?: { name: string; value: string }[];
  flags: Partial<Pick<Profile, 'locked' | 'bot' | 'discoverable' | 'indexable' | 'hide_collections'>>;
  preferences: Partial<Preferences>;
}

export type ProfileFacts = FormatContext;

/** @throws RookeryError `invalid` that tells everything at once */
export function checkProfile(input: UpdateInput): ProfileChanges {
  const problems = new FieldProblems();
  const changes: ProfileChanges = {
    flags: flagsOf(input),
    preferences: checkSource(input.source ?? {}, problems),
  };
  if (input.display_name != null) {
    changes.display_name = input.display_name.trim();
    if (countGraphemes(changes.display_name) > MAX_DISPLAY_NAME) {
      problems.add('display_name', tooLong(MAX_DISPLAY_NAME));
    }
  }
  if (input.note != null) {
    changes.note = input.note.trim();
    if (countCharacters({ text: changes.note }) > MAX_NOTE) problems.add('note', tooLong(MAX_NOTE));
  }
  if (input.fields_attributes) changes.fields = checkFields(input.fields_attributes, problems);
  problems.throwIfAny();
  return changes;
}

/** Only what is different from now; nothing when nothing is. Pure. @throws RookeryError `not_found` */
export function decideUpdate(
  state: Account,
  changes: ProfileChanges & { pictures: Pictures },
  facts: ProfileFacts,
): AccountEvent[] {
  const { account, user } = requireUser(state);
  const profile = different(account.profile, {
    ...changes.flags,
    ...changes.pictures,
    ...(changes.display_name === undefined ? {} : { display_name: changes.display_name }),
    ...(changes.note === undefined ? {} : { note: changes.note, note_html: formatNote(changes.note, facts) }),
    ...(changes.fields === undefined ? {} : { fields: toFields(changes.fields, account.profile, facts) }),
  });
  const preferences = different(user.preferences, changes.preferences);
  const events: AccountEvent[] = [];
  if (profile) events.push({ type: 'AccountUpdated', data: { id: account.id, ...profile } });
  if (preferences) {
    events.push({ type: 'UserPreferencesChanged', data: { account_id: account.id, ...preferences } });
  }
  return events;
}

function flagsOf(input: UpdateInput): ProfileChanges['flags'] {
  const { locked, bot, indexable, discoverable, hide_collections } = input;
  return {
    ...(locked == null ? {} : { locked }),
    ...(bot == null ? {} : { bot }),
    ...(indexable == null ? {} : { indexable }),
    ...(discoverable == null ? {} : { discoverable }),
    ...(hide_collections == null ? {} : { hide_collections }),
  };
}

const PRIVACIES = ['public', 'unlisted', 'private'] as const;
const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const;

function checkSource(
  source: NonNullable<UpdateInput['source']>,
  problems: FieldProblems,
): Partial<Preferences> {
  const preferences: Partial<Preferences> = {};
  const oneOf = <T extends string>(name: string, value: string, known: readonly [T, ...T[]]): T => {
    const found = known.find((each) => each === value);
    if (found === undefined) problems.add(name, UNKNOWN);
    return found ?? known[0];
  };
  if (source.privacy) {
    preferences.privacy = oneOf('source[privacy]', source.privacy, PRIVACIES);
  }
  if (source.quote_policy) {
    preferences.quote_policy = oneOf('source[quote_policy]', source.quote_policy, QUOTE_POLICIES);
  }
  if (source.sensitive != null) preferences.sensitive = source.sensitive;
  // The empty text takes the default language away.
  if (source.language !== undefined) {
    preferences.language = languageCode(source.language);
    if (source.language && preferences.language === null) problems.add('source[language]', UNKNOWN);
  }
  return preferences;
}

function checkFields(
  given: NonNullable<UpdateInput['fields_attributes']>,
  problems: FieldProblems,
): { name: string; value: string }[] {
  const fields = given
    .map(({ name, value }) => ({ name: name?.trim() ?? '', value: value?.trim() ?? '' }))
    .filter(({ name, value }) => name !== '' || value !== '');
  if (fields.length > MAX_FIELDS) {
    problems.add('fields', {
      error: 'ERR_TOO_LONG',
      description: `are too many (maximum is ${MAX_FIELDS})`,
    });
  }
  if (fields.some(({ name }) => name === '')) {
    problems.add('fields', { error: 'ERR_BLANK', description: 'have values without a name' });
  }
  const isLong = (text: string): boolean => countGraphemes(text) > MAX_FIELD_TEXT;
  if (fields.some(({ name, value }) => isLong(name) || isLong(value))) {
    problems.add('fields', tooLong(MAX_FIELD_TEXT));
  }
  return fields;
}

/** A link that was verified stays so as long as it is not touched. */
function toFields(
  fields: readonly { name: string; value: string }[],
  before: Profile,
  facts: ProfileFacts,
): Profile['fields'] {
  return fields.map(({ name, value }) => ({
    name,
    value,
    html: formatField(value, facts),
    verified_at: before.fields.find((field) => field.value === value)?.verified_at ?? null,
  }));
}

/** The changes that are any; undefined when none is. */
function different<T extends object>(before: T, changes: Partial<T>): Partial<T> | undefined {
  const entries = Object.entries(changes).filter(
    ([key, value]) => !isDeepStrictEqual(value, before[key as keyof T]),
  );
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<T>);
}
