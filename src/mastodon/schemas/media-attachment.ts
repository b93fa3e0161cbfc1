import { z } from 'zod';
import { count, id, url } from './shared.ts';

/**
 * The metadata of one rendition. `size` repeats width and height as `640x480`; `frame_rate` is a fraction,
 * `30000/1001`.
 */
export const metaDetailsSchema = z
  .strictObject({
    width: count.nullable().optional(),
    height: count.nullable().optional(),
    size: z.string().optional(),
    aspect: z.number().nullable().optional(),
    frame_rate: z.string().nullable().optional(),
    duration: z.number().nullable().optional(),
    bitrate: z.int().nullable().optional(),
  })
  .meta({ id: 'MetaDetails' });

/** The documentation shows the members after `focus` in its examples only, and `colors` (of audio and thumbnails) not at all. */
const mediaMetaSchema = z.strictObject({
  original: metaDetailsSchema.optional(),
  small: metaDetailsSchema.optional(),
  focus: z.strictObject({ x: z.number().min(-1).max(1), y: z.number().min(-1).max(1) }).optional(),
  length: z.string().optional(),
  duration: z.number().optional(),
  fps: z.number().optional(),
  size: z.string().optional(),
  width: count.optional(),
  height: count.optional(),
  aspect: z.number().optional(),
  audio_encode: z.string().optional(),
  audio_bitrate: z.string().optional(),
  audio_channels: z.string().optional(),
  colors: z.strictObject({ background: z.string(), foreground: z.string(), accent: z.string() }).optional(),
});

/** https://docs.joinmastodon.org/entities/MediaAttachment/. `url` is null during processing. */
export const mediaAttachmentSchema = z
  .strictObject({
    id,
    type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
    url: url.nullable(),
    preview_url: url.nullable(),
    remote_url: url.nullable(),
    preview_remote_url: url.nullable(),
    /** Deprecated and always null: Mastodon's page of the file. */
    text_url: z.null(),
    meta: mediaMetaSchema.nullable(),
    description: z.string().nullable(),
    blurhash: z.string().nullable(),
  })
  .meta({ id: 'MediaAttachment' });
export type MediaAttachment = z.infer<typeof mediaAttachmentSchema>;
