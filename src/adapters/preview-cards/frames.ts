import { Parser } from 'htmlparser2';
import { escapeHtml } from '#mastodon/html.ts';

/** Hosts of players whose pages are made for frames. */
const FRAMED_HOSTS = new Set([
  'www.youtube.com',
  'www.youtube-nocookie.com',
  'player.vimeo.com',
  'www.dailymotion.com',
  'geo.dailymotion.com',
  'w.soundcloud.com',
  'bandcamp.com',
  'open.spotify.com',
  'embed.ted.com',
  'player.twitch.tv',
  'clips.twitch.tv',
]);
const DEFAULT_SIZE = { width: 480, height: 270 };

export interface Frame {
  html: string;
  width: number;
  height: number;
}

/**
 * Returns a frame for a player on a known host, or undefined. Only the address comes from the page; the
 * element is our own, with a sandbox that keeps the player in its frame.
 * @param oembed `html` is foreign; `width` and `height` in pixels
 */
export function frameFor(oembed: {
  html?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
}): Frame | undefined {
  const source = sourceOf(oembed.html ?? '');
  const url = source === undefined ? null : URL.parse(source.startsWith('//') ? `https:${source}` : source);
  if (url?.protocol !== 'https:' || url.port !== '' || !FRAMED_HOSTS.has(url.hostname)) return undefined;
  url.username = '';
  url.password = '';
  const width = oembed.width || DEFAULT_SIZE.width;
  const height = oembed.height || DEFAULT_SIZE.height;
  return {
    width,
    height,
    html:
      `<iframe src="${escapeHtml(url.href)}" width="${width}" height="${height}" ` +
      'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms" ' +
      'allowfullscreen="allowfullscreen" referrerpolicy="strict-origin-when-cross-origin"></iframe>',
  };
}

function sourceOf(html: string): string | undefined {
  let source: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'iframe') source ??= attributes['src'];
    },
  });
  parser.end(html);
  return source;
}
