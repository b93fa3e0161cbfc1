import { z } from 'zod';
import { remoteMediaUrl } from '#mastodon/remote-media.ts';
import { MAX_SHORTCODE_LENGTH, shortcodesIn } from '#mastodon/shortcodes.ts';
import { url } from './common.ts';

/** The maximum of custom emojis in one remote post or profile. */
export const MAX_REMOTE_EMOJIS = 100;

/** A custom emoji of another server: its shortcode and the address of its picture. */
export const remoteEmoji = z.object({ shortcode: z.string().max(MAX_SHORTCODE_LENGTH), url });
export const remoteEmojis = z.array(remoteEmoji).max(MAX_REMOTE_EMOJIS);
export type RemoteEmoji = z.infer<typeof remoteEmoji>;

/** Returns the emojis that these texts contain. */
export function emojisMeant(emojis: readonly RemoteEmoji[], texts: readonly string[]): RemoteEmoji[] {
  if (emojis.length === 0) return [];
  const meant = new Set(shortcodesIn(texts));
  return emojis.filter(({ shortcode }) => meant.has(shortcode));
}

/** Returns a JSON array of https://docs.joinmastodon.org/entities/CustomEmoji/, or null for none. */
export const remoteEmojisJson = (emojis: readonly RemoteEmoji[]): string | null =>
  emojis.length === 0 ? null : `[${emojis.map(emojiJson).join(',')}]`;

const emojiJson = ({ shortcode, url: place }: RemoteEmoji): string =>
  `{"shortcode":${JSON.stringify(shortcode)},"url":${remoteMediaUrl('emojis', place)},` +
  `"static_url":${remoteMediaUrl('emojis', place, 'static')},"visible_in_picker":true}`;
