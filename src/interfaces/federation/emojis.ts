import { notFound } from '#kernel/errors.ts';
import { fillOrigins } from '#queries/entities/ready-json.ts';
import { cacheable, documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { EMOJI_CONTEXT } from './documents/contexts.ts';
import { emojiTags } from './documents/pictures.ts';

/** `GET /emojis/:shortcode`: a custom emoji, under its id in posts and profiles. */
export function showEmoji({ instance, params }: DocumentRequest): Promise<DocumentResponse> {
  const emoji = instance.emojis.json(params['shortcode'] ?? '');
  if (emoji === undefined) throw notFound();
  const [tag] = emojiTags(fillOrigins(`[${emoji}]`, instance), instance);
  return Promise.resolve(cacheable(documentReply({ '@context': EMOJI_CONTEXT, ...tag })));
}
