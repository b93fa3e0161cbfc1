import { emojisMeant, MAX_REMOTE_EMOJIS, type RemoteEmoji } from '#events/remote-emoji.ts';
import { isShortcode } from '#mastodon/shortcodes.ts';
import { type Foreign, listOf, textOf, webAddress } from './json.ts';
import { tagsOf } from './tags.ts';

/**
 * Returns the custom emojis of a document that its texts use; of two with one name, the first.
 * https://docs.joinmastodon.org/spec/activitypub/#Emoji
 */
export function emojisOf(document: Foreign, texts: readonly string[]): RemoteEmoji[] {
  const found = tagsOf(document, 'Emoji').flatMap((tag) => {
    const shortcode = textOf(tag['name'], 200).replace(/^:|:$/g, '');
    const url = webAddress(listOf(tag['icon'], 1)[0]);
    return url !== undefined && isShortcode(shortcode) ? [{ shortcode, url }] : [];
  });
  const byName = new Map<string, RemoteEmoji>();
  for (const emoji of found) if (!byName.has(emoji.shortcode)) byName.set(emoji.shortcode, emoji);
  return emojisMeant([...byName.values()], texts).slice(0, MAX_REMOTE_EMOJIS);
}
