import { z } from 'zod';
import { formBoolean, formObject, formObjects, formStringArray } from '../../src/kernel/input.ts';

const text = z.string().max(20_000).nullish();

/** Preferences of posting, in the names of `source`; `preferences.ts` has the rules. */
const source = z.object({
  privacy: z.string().max(40).nullish(),
  sensitive: formBoolean.optional(),
  language: z.string().max(40).nullish(),
  quote_policy: z.string().max(40).nullish(),
});

/** What apps send to change a profile, in JSON or a form; lengths only bound the work, `profile.ts` has the rules. */
export const updateBody = z.object({
  display_name: text,
  note: text,
  locked: formBoolean.optional(),
  bot: formBoolean.optional(),
  discoverable: formBoolean.optional(),
  hide_collections: formBoolean.optional(),
  indexable: formBoolean.optional(),
  noindex: formBoolean.optional(),
  avatar_description: text,
  header_description: text,
  show_media: formBoolean.optional(),
  show_media_replies: formBoolean.optional(),
  show_featured: formBoolean.optional(),
  attribution_domains: formStringArray(100, 300).optional(),
  fields_attributes: formObjects(z.object({ name: text, value: text }), 100),
  source: formObject(source),
});
export type UpdateInput = z.output<typeof updateBody>;
