import { accentPath } from './accent.ts';
import { type Html, html, type Part } from './html.ts';
import { shapesFor } from './icons.ts';
import { stylesheet } from './stylesheet.ts';

export interface DocumentParts {
  /** The whole title, with the name of the site. */
  title: string;
  /** Further elements of the head. */
  head?: Part;
  body: Html;
  /** The class of the body. */
  kind?: string | undefined;
  /** The accent colour of the server, if it has its own: `#7a3b8f`. */
  accent?: string | null | undefined;
}

/** Returns a whole document. Its language is that of our own texts; texts of users declare their own. */
export const documentWith = ({ title, head, body, kind, accent }: DocumentParts): string =>
  html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylesheet.path}" />
        ${accent != null && html`<link rel="stylesheet" href="${accentPath(accent)}" />`} ${head}
      </head>
      <body ${kind !== undefined && html`class="${kind}"`}>
        ${body}${shapesFor(body.text)}
      </body>
    </html> `.text;
