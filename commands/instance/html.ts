import { MAX_TEXT_LENGTH } from '#events/instance.ts';
import { invalid } from '#kernel/errors.ts';
import { formatNote } from '../text/format-note.ts';

/**
 * Returns a text of the staff as HTML: plain text becomes paragraphs with links; HTML loses styles, scripts
 * and pictures. @throws RookeryError `invalid` when it is too long
 */
export async function htmlOf(text: string, origin: string): Promise<string> {
  if (text.length > MAX_TEXT_LENGTH) throw tooLong();
  const html = /<[a-z][^>]*>/i.test(text)
    ? await sanitize(text.toWellFormed())
    : formatNote(text, { origin, mentions: new Map() });
  if (html.length > MAX_TEXT_LENGTH) throw tooLong();
  return html.trim();
}

const tooLong = () => invalid(`The text is too long (maximum is ${MAX_TEXT_LENGTH} characters)`);

const TAGS =
  'h1 h2 h3 h4 h5 h6 p br hr a ul ol li dl dt dd strong b em i u del code pre blockquote table thead tbody tr th td';

/** Loaded when staff write such a text, which is rare. */
async function sanitize(html: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html');
  return sanitizeHtml(html, {
    allowedTags: TAGS.split(' '),
    // A table of contents can link to an id.
    allowedAttributes: { a: ['href', 'rel'], '*': ['id'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: 64,
    transformTags: {
      a: (tagName, { href, id }) => ({
        tagName,
        attribs: { ...(href ? { href, rel: 'noopener' } : {}), ...(id ? { id } : {}) },
      }),
    },
  });
}
