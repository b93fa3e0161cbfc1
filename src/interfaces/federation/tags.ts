import { notFound } from '#kernel/errors.ts';
import { parseTagName } from '#mastodon/tag-name.ts';
import { isKnownTag } from '#queries/tags/index.ts';
import { documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { ACTIVITY_STREAMS } from './documents/contexts.ts';

/** `GET /tags/:tag`: an existing hashtag. As in Mastodon, the document contains no posts. */
export async function showTagCollection({
  ctx,
  params,
  instance,
}: DocumentRequest): Promise<DocumentResponse> {
  const tag = parseTagName(params['tag'] ?? '');
  if (!tag || !(await isKnownTag(ctx.db, tag.normal))) throw notFound();
  const id = `${instance.origin}/tags/${encodeURIComponent(tag.normal)}`;
  return documentReply({ '@context': ACTIVITY_STREAMS, id, type: 'OrderedCollection' });
}
