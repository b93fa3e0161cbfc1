import { extname } from 'node:path';
import type { Instance } from '#kernel/context.ts';
import { FILE_TYPES } from '#mastodon/media-limits.ts';
import type { Document } from './contexts.ts';

/** Returns the `mediaType` of a file by its address. */
export const mediaTypeOf = (url: string): string =>
  FILE_TYPES[extname(new URL(url).pathname)] ?? 'application/octet-stream';

/** Returns a picture for a document; `place` is a key of the media store or an address. */
export function image(place: string, description: string, { mediaOrigin }: Instance): Document {
  const url = /^https?:/.test(place) ? place : `${mediaOrigin}/${place}`;
  return {
    type: 'Image',
    mediaType: mediaTypeOf(url),
    url,
    ...(description === '' ? {} : { summary: description, name: description }),
  };
}

interface Emoji {
  shortcode: string;
  url: string;
}

/**
 * Returns https://docs.joinmastodon.org/spec/activitypub/#Emoji from a JSON array of CustomEmoji entities.
 */
export const emojiTags = (json: string, { origin }: Instance): Document[] =>
  (JSON.parse(json) as Emoji[]).map(({ shortcode, url }) => ({
    id: `${origin}/emojis/${encodeURIComponent(shortcode)}`,
    type: 'Emoji',
    name: `:${shortcode}:`,
    icon: { type: 'Image', mediaType: mediaTypeOf(url), url },
  }));
