import type { Instance } from '#kernel/context.ts';
import { jsonArray, type JsonPieces } from '#kernel/json-pieces.ts';
import { EMOJIS, MEDIA_ORIGIN, ORIGIN } from '#mastodon/ready-json.ts';

const SHORTCODES = new RegExp(`"${EMOJIS}([^"]*)"`, 'g');

/** Puts the hosts and the emojis of this instance into ready JSON (see `src/mastodon/ready-json.ts`). */
export const fillOrigins = (text: string, instance: Instance): string =>
  fillEmojis(text, instance)
    .replaceAll(MEDIA_ORIGIN, instance.mediaOrigin)
    .replaceAll(ORIGIN, instance.origin);

/** Returns ready items as a JSON array. */
export const readyArray = (items: readonly string[], instance: Instance): JsonPieces =>
  jsonArray(items.map((item) => fillOrigins(item, instance)));

/** Precedes the hosts, because emojis have addresses. */
function fillEmojis(text: string, { emojis }: Instance): string {
  if (!text.includes(EMOJIS)) return text;
  // As in Mastodon, `:Blobcat:` means the emoji `blobcat` when there is no emoji of that exact name.
  const find = (shortcode: string) => emojis.json(shortcode) ?? emojis.json(shortcode.toLowerCase()) ?? [];
  return text.replace(SHORTCODES, (_, shortcodes: string) =>
    [...new Set(shortcodes.split(',').flatMap(find))].join(','),
  );
}
