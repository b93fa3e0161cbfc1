import { html, type Html, type Part } from '../design/html.ts';

/** A choice: its value in the form, and its text. */
type Choice = readonly [value: string, text: string];

interface ChoiceField {
  name: string;
  id?: string;
  label: string;
  choices: readonly Choice[];
  chosen: string;
  hint?: string;
}

/** A list to choose one from. */
export const selectField = ({ name, id = name, label, choices, chosen, hint }: ChoiceField): Html =>
  html`<label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="quiet" id="${id}-hint">${hint}</p>`}
    <select id="${id}" name="${name}" ${hint !== undefined && html`aria-describedby="${id}-hint"`}>
      ${choices.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
      )}
    </select>`;

/** A few choices, all visible. */
export const radioField = ({
  name,
  label,
  choices,
  chosen,
}: Omit<ChoiceField, 'choices'> & { choices: readonly (readonly [string, Part])[] }): Html =>
  html`<fieldset>
    <legend>${label}</legend>
    ${choices.map(([value, text]) =>
      tick(html`type="radio"`, {
        name,
        value,
        id: `${name}-${value}`,
        ticked: value === chosen,
        label: text,
      }),
    )}
  </fieldset>`;

interface CheckField {
  name: string;
  id?: string;
  label: Part;
  ticked: boolean;
  value?: string;
}

/** A box to tick, which is not required. */
export const checkField = ({ name, id = name, label, ticked, value = 'true' }: CheckField): Html =>
  tick(html`type="checkbox"`, { name, value, id, ticked, label });

const tick = (type: Html, { name, id, label, ticked, value }: Required<CheckField>): Html =>
  html`<p class="tick">
    <input ${type} id="${id}" name="${name}" value="${value}" ${ticked && html`checked`} />
    <label for="${id}">${label}</label>
  </p>`;
