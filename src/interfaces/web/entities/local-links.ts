import { escapeHtml } from '#mastodon/html.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { profilePath } from './addresses.ts';
import type { View } from './view.ts';

/**
 * Returns the content of a post. For signed-in users, mentions and hashtags lead to pages here instead of to
 * other servers.
 */
export function localLinks({ content, mentions, tags }: Status, { user }: View): string {
  if (!user || (mentions.length === 0 && tags.length === 0)) return content;
  const pages = new Map([
    ...mentions.map((mention) => [mention.url, profilePath(mention)] as const),
    ...tags.map(({ url, name }) => [url, `/tags/${encodeURIComponent(name)}`] as const),
  ]);
  return [...pages].reduce(
    (text, [url, page]) => text.replaceAll(`href="${escapeHtml(url)}"`, `href="${escapeHtml(page)}"`),
    content,
  );
}
