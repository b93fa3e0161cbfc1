import { type Described, textField } from '../design/fields.ts';
import { type Html, html } from '../design/html.ts';
import { momentText } from '../entities/texts.ts';

const MAX_LENGTH = 40;

/**
 * Renders a moment in UTC, as fields of the console read it. The title is exact; the script adds how long ago
 * the moment was.
 */
export function moment(time: string): Html {
  const exact = new Date(time).toISOString();
  return html`<time datetime="${exact}" title="${exact}" data-exact>${momentText(exact)}</time>`;
}

/** Renders a field for a day or a time, in UTC where no zone is written; it may stay empty. */
export const momentField = ({
  example = '2026-12-01 9:00',
  ...field
}: Described & { name: string; label: string; value: string; example?: string }): Html =>
  textField({ ...field, autocomplete: 'off', placeholder: example }, MAX_LENGTH);
