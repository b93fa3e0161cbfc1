import type { JsonObject } from '#kernel/event.ts';
import { valuesBy } from '#kernel/values-by.ts';
import { MAX_FIELDS } from '#mastodon/limits.ts';
import type { Account, Profile } from '#mastodon/schemas/index.ts';
import type { Fields } from '../page/page.ts';
import { unixLines } from '../page/sent-texts.ts';

/** The checkboxes of the form: an absent one is false. */
export const FLAGS = [
  'locked',
  'bot',
  'discoverable',
  'indexable',
  'noindex',
  'hide_collections',
  'show_media',
  'show_media_replies',
  'show_featured',
] as const;

/** The contents of the form of the profile. */
export interface ProfileValues {
  texts: Fields;
  flags: ReadonlySet<string>;
  rows: readonly { name: string; value: string }[];
}

/** Returns the contents for the profile as it is. */
export function valuesOf(profile: Profile, { noindex }: Pick<Account, 'noindex'>): ProfileValues {
  const { display_name, note, avatar_description, header_description, attribution_domains } = profile;
  const set = { ...profile, noindex: noindex === true };
  return {
    texts: {
      display_name,
      note,
      avatar_description,
      header_description,
      attribution_domains: attribution_domains.join('\n'),
    },
    flags: new Set(FLAGS.filter((flag) => set[flag] === true)),
    rows: fourOf(profile.fields),
  };
}

/** Returns the contents as they were sent. */
export function valuesSent(fields: Fields, nested: JsonObject = {}): ProfileValues {
  return {
    texts: fields,
    flags: new Set(FLAGS.filter((flag) => fields[flag] === 'true')),
    rows: fourOf(rowsIn(nested)),
  };
}

/** Returns the form as the body of the endpoint. */
export function bodyOf(fields: Fields, nested: JsonObject) {
  const { texts, flags, rows } = valuesSent(fields, nested);
  return {
    display_name: texts['display_name'] ?? '',
    note: unixLines(texts['note'] ?? ''),
    avatar_description: texts['avatar_description'] ?? '',
    header_description: texts['header_description'] ?? '',
    attribution_domains: (texts['attribution_domains'] ?? '').split(/[\s,]+/).filter(Boolean),
    fields_attributes: rows.map(({ name, value }) => ({ name, value })),
    ...valuesBy(FLAGS, (flag) => flags.has(flag)),
  };
}

function rowsIn({ fields_attributes: sent }: JsonObject): { name: string; value: string }[] {
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.values(sent).map((row) => {
    const { name, value } = (typeof row === 'object' && row !== null ? row : {}) as Record<string, unknown>;
    return { name: textOf(name), value: textOf(value) };
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const fourOf = (rows: readonly { name: string; value: string }[]): { name: string; value: string }[] =>
  Array.from({ length: MAX_FIELDS }, (_, index) => rows[index] ?? { name: '', value: '' });
