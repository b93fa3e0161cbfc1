import type { FormatContext } from './format.ts';
import { cleanText, renderInline, renderParagraphs, trimText } from './render.ts';

/** Returns the HTML of a local account's biography, with the markup of a status. */
export const formatNote = (note: string, context: FormatContext): string =>
  renderParagraphs(cleanText(note), { ...context, rel: 'nofollow noopener' });

/**
 * Returns the HTML of a profile field's value: one line, mentions with their domain, links with `rel="me"` so
 * that the linked page can confirm its owner (https://docs.joinmastodon.org/entities/Account/#fields).
 */
export const formatField = (value: string, context: FormatContext): string =>
  renderInline(trimText(cleanText(value)), { ...context, rel: 'nofollow noopener me', withDomains: true });
