import { countGraphemes, hasMoreCharacters } from '#commands/text/count.ts';
import type { FormatContext } from '#commands/text/format.ts';
import { formatField, formatNote } from '#commands/text/format-note.ts';
import type { AccountEvent, Profile } from '#events/accounts.ts';
import { verifiedAt } from '#events/verified-links.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import { FieldProblems, tooLong } from '#kernel/field-problems.ts';
import { isLonger } from '#mastodon/characters.ts';
import {
  MAX_DISPLAY_NAME,
  MAX_FIELD_TEXT,
  MAX_FIELDS,
  MAX_NOTE,
  MAX_PICTURE_DESCRIPTION,
} from '#mastodon/limits.ts';
import { type Account, type Preferences, requireUser } from '../account.ts';
import { attributionDomains } from './attribution-domains.ts';
import { checkPreferences } from './preferences.ts';
import type { UpdateInput } from './profile-input.ts';

/** New pictures; null removes one. */
export type Pictures = Partial<Pick<Profile, 'avatar' | 'header'>>;

/** The checked changes of a request. Absent members stay. */
export interface ProfileChanges {
  display_name?: string;
  note?: string;
  fields?: { name: string; value: string }[];
  descriptions: Partial<Pick<Profile, 'avatar_description' | 'header_description'>>;
  attribution_domains?: string[];
  flags: Partial<Pick<Profile, (typeof FLAGS)[number]>>;
  preferences: Partial<Preferences>;
}

export type ProfileFacts = FormatContext;

/** @throws RookeryError `invalid` with all problems */
export function checkProfile(input: UpdateInput): ProfileChanges {
  const problems = new FieldProblems();
  const changes: ProfileChanges = {
    flags: flagsOf(input),
    descriptions: checkDescriptions(input, problems),
    preferences: checkPreferences(input.source ?? {}, problems, (name) => `source[${name}]`),
  };
  if (input.display_name != null) {
    changes.display_name = input.display_name.trim();
    if (isLonger(changes.display_name, MAX_DISPLAY_NAME)) {
      problems.add('display_name', tooLong(MAX_DISPLAY_NAME));
    }
  }
  if (input.note != null) {
    changes.note = input.note.trim();
    if (hasMoreCharacters({ text: changes.note }, MAX_NOTE)) problems.add('note', tooLong(MAX_NOTE));
  }
  if (input.attribution_domains) {
    changes.attribution_domains = attributionDomains(input.attribution_domains, problems);
  }
  if (input.fields_attributes) changes.fields = checkFields(input.fields_attributes, problems);
  problems.throwIfAny();
  return changes;
}

/** Decides only differences. Pure. @throws RookeryError `not_found` */
export function decideUpdate(
  state: Account,
  changes: ProfileChanges & { pictures: Pictures },
  facts: ProfileFacts,
): AccountEvent[] {
  const { account } = requireUser(state);
  const profile = changedFields(account.profile, {
    ...changes.flags,
    ...changes.pictures,
    ...changes.descriptions,
    ...(changes.attribution_domains && { attribution_domains: changes.attribution_domains }),
    ...(changes.display_name === undefined ? {} : { display_name: changes.display_name }),
    ...(changes.note === undefined ? {} : { note: changes.note, note_html: formatNote(changes.note, facts) }),
    ...(changes.fields === undefined ? {} : { fields: toFields(changes.fields, account.profile, facts) }),
  });
  const updated: AccountEvent[] = profile
    ? [{ type: 'AccountUpdated', data: { id: account.id, ...profile } }]
    : [];
  return [...updated, ...decidePreferences(state, changes.preferences)];
}

/** Removes a picture with its description, if any. Pure. @throws RookeryError `not_found` */
export function decidePictureRemoval(state: Account, kind: 'avatar' | 'header'): AccountEvent[] {
  const { account } = requireUser(state);
  const removed: Partial<Profile> = kind === 'avatar' ? { avatar: null } : { header: null };
  const profile = changedFields(account.profile, removed);
  return profile ? [{ type: 'AccountUpdated', data: { id: account.id, ...profile } }] : [];
}

/** Decides only differences. Pure. @throws RookeryError `not_found` */
export function decidePreferences(state: Account, changes: Partial<Preferences>): AccountEvent[] {
  const { account, user } = requireUser(state);
  const preferences = changedFields<Partial<Preferences>>(user.preferences, changes);
  if (!preferences) return [];
  return [{ type: 'UserPreferencesChanged', data: { account_id: account.id, ...preferences } }];
}

const FLAGS = [
  ...(['locked', 'bot', 'discoverable', 'indexable', 'noindex', 'hide_collections'] as const),
  ...(['show_media', 'show_media_replies', 'show_featured'] as const),
] as const;

/** Null changes nothing. */
function flagsOf(input: UpdateInput): ProfileChanges['flags'] {
  const given = FLAGS.filter((flag) => input[flag] != null);
  return Object.fromEntries(given.map((flag) => [flag, input[flag]]));
}

function checkDescriptions(input: UpdateInput, problems: FieldProblems): ProfileChanges['descriptions'] {
  const descriptions: ProfileChanges['descriptions'] = {};
  for (const name of ['avatar_description', 'header_description'] as const) {
    const given = input[name]?.trim();
    if (given === undefined) continue;
    if (countGraphemes(given) > MAX_PICTURE_DESCRIPTION) problems.add(name, tooLong(MAX_PICTURE_DESCRIPTION));
    descriptions[name] = given;
  }
  return descriptions;
}

function checkFields(
  given: NonNullable<UpdateInput['fields_attributes']>,
  problems: FieldProblems,
): { name: string; value: string }[] {
  const fields = given
    .map(({ name, value }) => ({ name: fieldText(name), value: fieldText(value) }))
    .filter(({ name, value }) => name !== '' || value !== '');
  if (fields.length > MAX_FIELDS) {
    problems.add('fields', { error: 'ERR_TOO_LONG', description: `are too many (maximum is ${MAX_FIELDS})` });
  }
  if (fields.some(({ name }) => name === '')) {
    problems.add('fields', { error: 'ERR_BLANK', description: 'have values without a name' });
  }
  return fields;
}

/** Cuts to the maximum of a field, as Mastodon does. */
const fieldText = (given: string | null | undefined): string =>
  Array.from(given?.trim() ?? '')
    .slice(0, MAX_FIELD_TEXT)
    .join('');

/** A verified link stays verified until it changes. */
function toFields(
  fields: readonly { name: string; value: string }[],
  before: Profile,
  facts: ProfileFacts,
): Profile['fields'] {
  return fields.map(({ name, value }) => ({
    name,
    value,
    html: formatField(value, facts),
    verified_at: verifiedAt(before.fields, value),
  }));
}
