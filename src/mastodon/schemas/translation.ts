import { z } from 'zod';
import { id, language } from './shared.ts';

export const translationAttachmentSchema = z
  .strictObject({ id, description: z.string() })
  .meta({ id: 'TranslationAttachment' });

export const translationPollOptionSchema = z
  .strictObject({ title: z.string() })
  .meta({ id: 'TranslationPollOption' });

export const translationPollSchema = z
  .strictObject({ id, options: z.array(translationPollOptionSchema) })
  .meta({ id: 'TranslationPoll' });

/** https://docs.joinmastodon.org/entities/Translation/ */
export const translationSchema = z
  .strictObject({
    content: z.string(),
    spoiler_text: z.string(),
    language,
    poll: translationPollSchema.nullable().optional(),
    media_attachments: z.array(translationAttachmentSchema),
    detected_source_language: language,
    provider: z.string(),
  })
  .meta({ id: 'Translation' });
export type Translation = z.infer<typeof translationSchema>;
