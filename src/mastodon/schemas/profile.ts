import { z } from 'zod';
import { fieldSchema } from './field.ts';
import { id, url } from './shared.ts';
import { featuredTagSchema } from './tag.ts';

/** The own profile for editing, with texts as typed: https://docs.joinmastodon.org/entities/Profile/ */
export const profileSchema = z
  .strictObject({
    id,
    display_name: z.string(),
    note: z.string(),
    fields: z.array(fieldSchema),
    /** The texts for others, in HTML. */
    formatted_note: z.string(),
    formatted_fields: z.array(fieldSchema),
    /** Null without a picture. */
    avatar: url.nullable(),
    avatar_static: url.nullable(),
    avatar_description: z.string(),
    header: url.nullable(),
    header_static: url.nullable(),
    header_description: z.string(),
    locked: z.boolean(),
    bot: z.boolean(),
    hide_collections: z.boolean().nullable(),
    discoverable: z.boolean().nullable(),
    indexable: z.boolean(),
    show_media: z.boolean(),
    show_media_replies: z.boolean(),
    show_featured: z.boolean(),
    attribution_domains: z.array(z.string()),
    featured_tags: z.array(featuredTagSchema),
  })
  .meta({ id: 'Profile' });
export type Profile = z.infer<typeof profileSchema>;
