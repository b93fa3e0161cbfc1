import { type Html, html } from './html.ts';

interface FieldOptions {
  name: string;
  /** Needed when two forms of a page have a field of the same name. */
  id?: string;
  label: string;
  /** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
  autocomplete: string;
  value?: string;
  /** Shown below the label. */
  hint?: string;
  /** The problems with the submitted text; shown beside the field too. */
  problems?: readonly string[] | undefined;
  focus?: boolean;
  /** The field may stay empty. */
  optional?: boolean;
  /** Moves to the field, on pages of the console. */
  key?: string;
}

export type Described = Pick<FieldOptions, 'hint' | 'problems'>;

/** A password field; never filled in by the server. */
export const passwordField = (options: FieldOptions): Html =>
  labelled(
    options,
    (id) =>
      html`<input
        type="password"
        id="${id}"
        name="${options.name}"
        autocomplete="${options.autocomplete}"
        maxlength="1000"
        required
        ${describedBy(id, options)}
        ${options.focus && html`autofocus`}
      />`,
  );

/** A field for an e-mail address, or a login (`type="text"`). */
export const addressField = (options: FieldOptions, type: 'email' | 'text' = 'email'): Html =>
  lineField(options, html`type="${type}" inputmode="email" maxlength="320"`);

/** A field for the name of a new account, with its maximum length. */
export const usernameField = (options: FieldOptions, most: number): Html =>
  lineField(options, html`type="text" maxlength="${most}" pattern="[A-Za-z0-9_]+"`);

const lineField = (options: FieldOptions, attributes: Html): Html =>
  labelled(
    options,
    (id) =>
      html`<input
        ${attributes}
        id="${id}"
        name="${options.name}"
        value="${options.value ?? ''}"
        autocomplete="${options.autocomplete}"
        autocapitalize="none"
        autocorrect="off"
        spellcheck="false"
        ${!options.optional && html`required`}
        ${describedBy(id, options)}
        ${options.focus && html`autofocus`}
      />`,
  );

/** A field for an account of any server: its handle or its address, which browsers cannot complete. */
export const handleField = (options: Omit<FieldOptions, 'autocomplete'>): Html =>
  lineField({ ...options, autocomplete: 'off' }, html`type="text" maxlength="2048"`);

/** An optional text of several lines; `most` in UTF-16 units. */
export const longField = (options: FieldOptions, most: number): Html =>
  labelled(
    options,
    (id) =>
      // HTML drops the first line end after the tag.
      html`<textarea
        id="${id}"
        name="${options.name}"
        autocomplete="${options.autocomplete}"
        rows="4"
        maxlength="${most}"
        ${describedBy(id, options)}
        ${options.key !== undefined && html`aria-keyshortcuts="${options.key}"`}
        ${options.focus && html`autofocus`}
      >
${options.value ?? ''}</textarea>`,
  );

interface LineOptions extends FieldOptions {
  /** An example, shown while the field is empty. */
  placeholder?: string;
  /** The id of a `datalist` of suggestions. */
  list?: string;
}

/** An optional line of text; `most` in UTF-16 units. */
export const textField = (options: LineOptions, most: number): Html =>
  labelled(
    options,
    (id) =>
      html`<input
        type="text"
        id="${id}"
        name="${options.name}"
        value="${options.value ?? ''}"
        autocomplete="${options.autocomplete}"
        maxlength="${most}"
        ${options.placeholder !== undefined && html`placeholder="${options.placeholder}"`}
        ${options.list !== undefined && html`list="${options.list}"`}
        ${describedBy(id, options)}
      />`,
  );

/** A checkbox. */
export const tickField = ({
  name,
  label,
  ticked,
  ...described
}: Described & { name: string; label: Html; ticked: boolean }): Html =>
  html`${noteOf(name, described)}
    <p class="tick">
      <input
        type="checkbox"
        id="${name}"
        name="${name}"
        value="true"
        required
        ${ticked && html`checked`}
        ${describedBy(name, described)}
      />
      <label for="${name}">${label}</label>
    </p>`;

/** The fields of a sign-in form, with the submitted login. */
export const signInFields = (login: string): Html =>
  html`${addressField(
    {
      name: 'login',
      label: 'E-mail address or username',
      autocomplete: 'username',
      value: login,
      focus: login === '',
    },
    'text',
  )}
  ${passwordField({ name: 'password', label: 'Password', autocomplete: 'current-password', focus: login !== '' })}`;

/** The code of the second step; never filled in by the server. */
export const codeField = ({
  hint = 'Six digits from your authenticator app, or one of your recovery codes.',
  focus = false,
}: { hint?: string; focus?: boolean } = {}): Html =>
  lineField(
    { name: 'code', label: 'Code', autocomplete: 'one-time-code', hint, focus },
    html`type="text" maxlength="100"`,
  );

function labelled(options: FieldOptions, control: (id: string) => Html): Html {
  const { name, id = name, label } = options;
  return html`<label for="${id}">${label}</label> ${noteOf(id, options)} ${control(id)}`;
}

export const noteOf = (id: string, { hint, problems = [] }: Described): Html =>
  html`${hint !== undefined && html`<p class="quiet" id="${id}-hint">${hint}</p>`}
  ${problems.length > 0 && html`<p class="wrong" id="${id}-problem">${problems.join(' ')}</p>`}`;

export function describedBy(id: string, { hint, problems = [] }: Described): Html | false {
  const wrong = problems.length > 0;
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(wrong ? [`${id}-problem`] : [])];
  return (
    notes.length > 0 && html`aria-describedby="${notes.join(' ')}" ${wrong && html`aria-invalid="true"`}`
  );
}
