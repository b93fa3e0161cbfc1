import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '#mastodon/html.ts';
import type { Status, Translation } from '#mastodon/schemas/index.ts';
import { sanitizeRemoteHtml } from '../text/sanitize.ts';

/** The translated parts of a status. */
export type Translatable = Pick<Status, 'content' | 'spoiler_text' | 'poll' | 'media_attachments'>;

/** A text of the status: how it is sent, and where its translation belongs. All are sent as HTML. */
interface Part {
  html: string;
  put: (translation: Parts, html: string) => void;
}
type Parts = Pick<Translation, 'content' | 'spoiler_text' | 'poll' | 'media_attachments'>;

/** The texts of a status as HTML, to be translated in this order. Texts without letters are not among them. */
export const textsOf = (status: Translatable): string[] => partsOf(status).map(({ html }) => html);

/** Inserts translations, in the order of `textsOf`. Their HTML is foreign, so it is sanitized. */
export function withTexts(status: Translatable, translated: readonly string[]): Parts {
  const parts: Parts = {
    content: status.content,
    spoiler_text: status.spoiler_text,
    poll: status.poll && { id: status.poll.id, options: status.poll.options.map(({ title }) => ({ title })) },
    media_attachments: describedMedia(status),
  };
  partsOf(status).forEach((part, index) => part.put(parts, translated[index] ?? ''));
  return parts;
}

function partsOf(status: Translatable): Part[] {
  const plain = (text: string, put: (parts: Parts, text: string) => void): Part => ({
    html: escapeHtml(text),
    put: (parts, html) => put(parts, plainText(html)),
  });
  const all: Part[] = [
    { html: status.content, put: (parts, html) => (parts.content = sanitizeRemoteHtml(html)) },
    plain(status.spoiler_text, (parts, text) => (parts.spoiler_text = text)),
    ...(status.poll?.options ?? []).map(({ title }, index) =>
      plain(title, ({ poll }, text) => poll?.options.splice(index, 1, { title: text })),
    ),
    ...describedMedia(status).map(({ id, description }, index) =>
      plain(description, (parts, text) =>
        parts.media_attachments.splice(index, 1, { id, description: text }),
      ),
    ),
  ];
  return all.filter(({ html }) => /\p{L}/u.test(html.replace(/<[^>]*>|&\w+;/g, '')));
}

/** Only what has a description is named in a translation. */
const describedMedia = ({ media_attachments }: Translatable): { id: string; description: string }[] =>
  media_attachments.flatMap(({ id, description }) => (description ? [{ id, description }] : []));

/** The text of HTML, without any element. */
const plainText = (html: string): string =>
  sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
