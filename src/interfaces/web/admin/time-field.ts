import { describedBy, noteOf, type Described } from '../design/fields.ts';
import { html, type Html } from '../design/html.ts';

/** Renders a field for a time (UTC) or a day, which may stay empty. */
export const timeField = ({
  name,
  label,
  value,
  type = 'datetime-local',
  ...described
}: Described & { name: string; label: string; value: string; type?: 'datetime-local' | 'date' }): Html =>
  html`<label for="${name}">${label}</label> ${noteOf(name, described)}
    <input type="${type}" id="${name}" name="${name}" value="${value}" ${describedBy(name, described)} />`;
