import { EMOJIS, MEDIA_ORIGIN, ORIGIN } from '../../src/kernel/ready-json.ts';
import type { Instance } from '../../src/kernel/context.ts';
import { jsonArray, type JsonPieces } from '../../src/kernel/json-pieces.ts';

const SHORTCODES = new RegExp(`"${EMOJIS}([^"]*)"`, 'g');

/** Puts the hosts and the emojis of this instance into ready JSON (see `src/kernel/ready-json.ts`). */
export const fillOrigins = (text: string, instance: Instance): string =>
  fillEmojis(text, instance)
    .replaceAll(MEDIA_ORIGIN, instance.mediaOrigin)
    .replaceAll(ORIGIN, instance.origin);

/** A JSON array of ready items. */
export const readyArray = (items: readonly string[], instance: Instance): JsonPieces =>
  jsonArray(items.map((item) => fillOrigins(item, instance)));

/** Before the hosts: emojis have addresses. */
function fillEmojis(text: string, { emojis }: Instance): string {
  if (!text.includes(EMOJIS)) return text;
  return text.replace(SHORTCODES, (_, shortcodes: string) =>
    shortcodes
      .split(',')
      .flatMap((shortcode) => emojis.json(shortcode) ?? [])
      .join(','),
  );
}
