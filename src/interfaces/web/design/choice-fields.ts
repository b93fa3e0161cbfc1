import { type Described, describedBy, noteOf } from './fields.ts';
import { type Html, html, type Part } from './html.ts';

/** One of several values of a field. */
export interface Choice {
  value: string;
  label: string;
  /** Said below the label. */
  hint?: string;
}

interface Named extends Described {
  name: string;
  label: Part;
}

/** The choices of a `select`. A value that is no choice becomes the first one: browsers would show another one. */
export const optionsOf = (choices: readonly Choice[], chosen: string): Html[] =>
  withChosen(choices, chosen).map(
    ({ value, label }) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${label}</option> `,
  );

const withChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  chosen === '' || choices.some(({ value }) => value === chosen)
    ? choices
    : [{ value: chosen, label: chosen }, ...choices];

/** A list to choose one value from. */
export const selectField = ({
  name,
  label,
  choices,
  chosen,
  ...described
}: Named & { choices: readonly Choice[]; chosen: string }): Html =>
  html`<label for="${name}">${label}</label> ${noteOf(name, described)}
    <select id="${name}" name="${name}" ${describedBy(name, described)}>
      ${optionsOf(choices, chosen)}
    </select>`;

/** One of a few values that are all shown. */
export const radioField = ({
  name,
  label,
  choices,
  chosen,
  problems,
}: Named & { choices: readonly Choice[]; chosen: string }): Html =>
  html`<fieldset>
    <legend>${label}</legend>
    ${noteOf(name, { problems })}
    ${choices.map(
      ({ value, label: text, hint }) =>
        html`<p class="tick">
          <input
            type="radio"
            id="${name}-${value}"
            name="${name}"
            value="${value}"
            ${value === chosen && html`checked`}
            ${hint !== undefined && html`aria-describedby="${name}-${value}-hint"`}
          />
          <span
            ><label for="${name}-${value}">${text}</label
            >${hint !== undefined && html`<span class="quiet" id="${name}-${value}-hint">${hint}</span>`}</span
          >
        </p>`,
    )}
  </fieldset>`;

/** A checkbox that may stay empty. */
export const checkField = ({
  name,
  id = name,
  label,
  checked,
  hint,
  value = 'true',
}: Named & { id?: string; checked: boolean; value?: string }): Html =>
  html`<p class="tick">
    <input
      type="checkbox"
      id="${id}"
      name="${name}"
      value="${value}"
      ${checked && html`checked`}
      ${hint !== undefined && html`aria-describedby="${id}-hint"`}
    />
    <span
      ><label for="${id}">${label}</label
      >${hint !== undefined && html`<span class="quiet" id="${id}-hint">${hint}</span>`}</span
    >
  </p>`;

/** A file to send; `accept` are the types that the browser offers. */
export const fileField = ({ name, label, accept, ...described }: Named & { accept: string }): Html =>
  html`<label for="${name}">${label}</label> ${noteOf(name, described)}
    <input type="file" id="${name}" name="${name}" accept="${accept}" ${describedBy(name, described)} />`;
