import { EMOJIS, MEDIA_ORIGIN, ORIGIN } from '../../src/kernel/ready-json.ts';
import type { Instance } from '../../src/kernel/context.ts';

const SHORTCODES = new RegExp(`"${EMOJIS}([^"]*)"`, 'g');

/** Puts the hosts and the emojis of this instance into ready JSON (see `src/kernel/ready-json.ts`). */
export const fillOrigins = (text: string, instance: Instance): string =>
  fillHosts(fillEmojis(text, instance), instance);

/** Puts in the hosts, which stay while this process runs. */
export const fillHosts = (text: string, { mediaOrigin, origin }: Instance): string =>
  text.replaceAll(MEDIA_ORIGIN, mediaOrigin).replaceAll(ORIGIN, origin);

/** A JSON array of ready items, in pieces. */
export const readyArray = (items: readonly string[], instance: Instance): string[] => [
  '[',
  ...items.map((item, index) => fillOrigins(index === 0 ? item : `,${item}`, instance)),
  ']',
];

/** What ready JSON says, for the rare reply that has to change it; `printReady` makes ready JSON of it again. */
export const parseReady = (text: string): unknown =>
  JSON.parse(text.replace(PLACEHOLDERS, (character) => `\\u000${character.charCodeAt(0)}`));

export const printReady = (value: unknown): string =>
  JSON.stringify(value).replace(ESCAPES, (escape, code?: string) =>
    code === undefined ? escape : String.fromCharCode(Number(code)),
  );

const PLACEHOLDERS = new RegExp(`[${MEDIA_ORIGIN}${ORIGIN}${EMOJIS}]`, 'g');
/** Every escape is taken whole, so that an escaped backslash begins none. */
const ESCAPES = /\\(?:u000([123])|.)/g;

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
