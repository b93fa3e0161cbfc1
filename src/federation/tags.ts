import { notFound } from '../kernel/errors.ts';
import { parseTagName } from '../kernel/tag-name.ts';
import { documentReply, type Answer, type Asked } from './answer.ts';
import { ACTIVITY_STREAMS } from './documents/contexts.ts';

/** `GET /tags/:tag`: that it is a hashtag. As in Mastodon, nothing is said of its posts. */
export function showTagCollection({ params, instance }: Asked): Promise<Answer> {
  const tag = parseTagName(params['tag'] ?? '');
  if (!tag) return Promise.reject(notFound());
  const id = `${instance.origin}/tags/${encodeURIComponent(tag.normal)}`;
  return Promise.resolve(documentReply({ '@context': ACTIVITY_STREAMS, id, type: 'OrderedCollection' }));
}
