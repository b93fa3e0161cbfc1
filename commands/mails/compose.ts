import type { Mail } from '#kernel/services/mailer.ts';
import { escapeHtml } from '#mastodon/html.ts';

/** A mail without its recipient. */
export type MailContent = Omit<Mail, 'to'>;

type Part = string | { href: string; label: string };

/** Renders the same paragraphs as plain text and as simple HTML. Escapes all input. */
export function compose(kind: string, subject: string, parts: Part[]): MailContent {
  const text = parts.map((part) => (typeof part === 'string' ? oneLine(part) : webLink(part.href)));
  const html = parts.map(
    (part) => `<p>${typeof part === 'string' ? escapeHtml(oneLine(part)) : anchor(part)}</p>`,
  );
  return {
    kind,
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n`,
    html:
      `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${escapeHtml(oneLine(subject))}</title></head>` +
      `<body style="font-family: sans-serif; line-height: 1.5">\n${html.join('\n')}\n</body></html>\n`,
  };
}

const anchor = ({ href, label }: { href: string; label: string }): string => {
  const target = escapeHtml(webLink(href));
  return `<a href="${target}">${escapeHtml(oneLine(label))}</a><br>${target}`;
};

/**
 * Returns a link that all mail programs read in the same way: http or https, without spaces, quotes or line
 * ends.
 */
function webLink(link: string): string {
  const url = new URL(link);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('Links in mails lead to web pages');
  return url.href.replace(/['"<>\s]/g, encodeURIComponent);
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
