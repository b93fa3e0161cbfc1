import { parseTagName, type TagName } from '#mastodon/tag-name.ts';
import { type Foreign, isObject, listOf, typesOf } from './json.ts';

/** Tags of each type. */
const MAX_TAGS = 100;

/**
 * Returns the entries of one type in a document's `tag`:
 * https://docs.joinmastodon.org/spec/activitypub/#properties-used
 */
export const tagsOf = (document: Foreign, type: string): Foreign[] =>
  listOf(document['tag'], 1_000)
    .filter((tag) => isObject(tag))
    .filter((tag) => typesOf(tag).includes(type))
    .slice(0, MAX_TAGS);

/** Returns the hashtag that an item of a collection or an activity is; undefined for any other value. */
export function hashtagOf(value: unknown): TagName | undefined {
  if (!isObject(value) || !typesOf(value).includes('Hashtag')) return undefined;
  const { name } = value;
  return typeof name === 'string' ? parseTagName(name) : undefined;
}
