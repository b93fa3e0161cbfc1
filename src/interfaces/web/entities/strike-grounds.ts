import type { StrikeGrounds } from '#mastodon/schemas/index.ts';
import { wordsOfGrounds } from '#mastodon/strike-words.ts';
import { type Html, html } from '../design/html.ts';

/** Renders the grounds of a strike as its user reads them; false when there is nothing to say. */
export function groundsText(domain: string, grounds: StrikeGrounds | null): Html | false {
  const { reason, rules } = wordsOfGrounds(domain, grounds);
  return (
    reason !== undefined &&
    html`<p>${reason}</p>
      ${
        rules.length > 0 &&
        html`<ul>
          ${rules.map((rule) => html`<li dir="auto">${rule}</li>`)}
        </ul>`
      }`
  );
}
