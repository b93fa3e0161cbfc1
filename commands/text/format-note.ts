import type { FormatContext } from './format.ts';
import { cleanText, trimText, renderInline, renderParagraphs } from './render.ts';

/** The HTML of a local account's biography, marked up as a status is. */
export const formatNote = (note: string, context: FormatContext): string =>
  renderParagraphs(cleanText(note), { ...context, rel: 'nofollow noopener' });

/**
 * The HTML of a profile field's value: one line, mentions with their domain, links with `rel="me"` so that the linked
 * page can confirm who owns it (https://docs.joinmastodon.org/entities/Account/#fields).
 */
export const formatField = (value: string, context: FormatContext): string =>
  renderInline(trimText(cleanText(value)), { ...context, rel: 'nofollow noopener me', withDomains: true });
