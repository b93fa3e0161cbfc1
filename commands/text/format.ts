import type { MentionTarget } from './render.ts';
import { cleanText, renderParagraphs } from './render.ts';

export { renderLink, trimText, type MentionTarget } from './render.ts';

/**
 * The references that a text may contain. The keys of `mentions` are `handleKey` of the results of
 * `extractMentions`.
 */
export interface FormatContext {
  /** `https://` and host of this server's web pages, without a trailing slash. */
  origin: string;
  mentions: ReadonlyMap<string, MentionTarget>;
}

/**
 * Returns the HTML of a local status: `Status.content` of https://docs.joinmastodon.org/entities/Status/.
 * Pure; the result is safe to show in a page. Mentions that are not in the context stay plain text.
 */
export const formatStatus = (text: string, context: FormatContext): string =>
  renderParagraphs(cleanText(text), { ...context, rel: RELATION });

/** The `rel` of links in posts. */
export const RELATION = 'nofollow noopener';
