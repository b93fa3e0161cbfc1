import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Html, html, trusted } from './html.ts';

/** The icons of the pages, by their name in Lucide (https://lucide.dev/icons). */
export const ICONS = [
  'activity',
  'arrow-left',
  'at-sign',
  'badge-check',
  'ban',
  'bell',
  'book-open',
  'bookmark',
  'bot',
  'calendar',
  'chart-no-axes-column',
  'check',
  'chevron-down',
  'chevron-right',
  'circle-check',
  'clock',
  'compass',
  'copy',
  'database',
  'download',
  'ellipsis',
  'external-link',
  'eye-off',
  'file-text',
  'flag',
  'funnel',
  'gauge',
  'gavel',
  'globe',
  'hard-drive-download',
  'hash',
  'heart-handshake',
  'history',
  'house',
  'id-card',
  'image',
  'inbox',
  'info',
  'key',
  'key-round',
  'languages',
  'layers',
  'link',
  'list',
  'list-tree',
  'lock',
  'log-out',
  'mail',
  'megaphone',
  'menu',
  'message-circle',
  'moon',
  'network',
  'newspaper',
  'package',
  'pencil',
  'pin',
  'play',
  'plus',
  'quote',
  'radio',
  'refresh-cw',
  'repeat-2',
  'reply',
  'rss',
  'scale',
  'scroll-text',
  'search',
  'send',
  'server',
  'settings',
  'share',
  'shield',
  'shield-check',
  'siren',
  'skip-back',
  'skip-forward',
  'sliders-horizontal',
  'smartphone',
  'smile',
  'sparkles',
  'star',
  'terminal',
  'timer',
  'trash-2',
  'trending-up',
  'triangle-alert',
  'truck',
  'upload',
  'user',
  'user-check',
  'user-pen',
  'user-plus',
  'user-x',
  'users',
  'volume-x',
  'workflow',
  'x',
] as const;

export type IconName = (typeof ICONS)[number];

const FOLDER = join(createRequire(import.meta.url).resolve('lucide-static/package.json'), '..', 'icons');

const symbolOf = (name: IconName): string => {
  const shapes = /<svg[^>]*>(.*)<\/svg>/s.exec(readFileSync(join(FOLDER, `${name}.svg`), 'utf8'))?.[1] ?? '';
  return `<symbol id="i-${name}" viewBox="0 0 24 24">${shapes.replaceAll(/\s+/g, ' ').trim()}</symbol>`;
};

const SYMBOLS: ReadonlyMap<string, string> = new Map(ICONS.map((name) => [name, symbolOf(name)]));

const USE = '<use href="#i-';

/** Renders an icon, which is decoration: its control has a text or a label. `framed` adds the shapes to the page. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="#i-${name}" /></svg>`;

/** Returns the shapes of the icons in a page, once each. */
export function shapesFor(page: string): Html {
  const used = new Set<string>();
  for (let at = page.indexOf(USE); at !== -1; at = page.indexOf(USE, at)) {
    at += USE.length;
    used.add(page.slice(at, page.indexOf('"', at)));
  }
  const shapes = [...used].map((name) => SYMBOLS.get(name) ?? '').join('');
  return shapes === '' ? html`` : trusted(`<svg hidden>${shapes}</svg>`);
}
