import { checkField, radioField, selectField } from '#interfaces/web/design/choice-fields.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { form } from '#interfaces/web/page/forms.ts';
import type { Tried, WebRequest } from '#interfaces/web/page/page.ts';
import { type FilterDraft, type KeywordRow, MAX_KEYWORD, MAX_ROWS } from './draft.ts';
import { ACTIONS, CONTEXTS, EXPIRIES, KEEP } from './texts.ts';

/** Characters of a title, as in Mastodon. */
export const MAX_TITLE = 256;

interface FormOptions {
  /** The name of the button. */
  label: string;
  tried?: Tried | undefined;
  /** The end of the filter that is being changed, as text. */
  ends?: string | undefined;
  key?: string;
}

/** Renders the form of a filter. Its second button adds rows for keywords, without saving. */
export const filterForm = (
  request: WebRequest,
  draft: FilterDraft,
  { label, tried, ends, key }: FormOptions,
): Html =>
  form(
    request,
    html`<button class="hush" tabindex="-1" aria-hidden="true">${label}</button>
      ${titleField(draft.title, tried)} ${keywordFields(draft.keywords)} ${actionField(draft.action)}
      ${contextFields(draft.context)}
      ${selectField({
        name: 'expires_in',
        label: 'Expire after',
        choices: [...(ends === undefined ? [] : [{ value: KEEP, label: `As it is: ${ends}` }]), ...EXPIRIES],
        chosen: draft.expiry,
      })}
      <button>${label}</button>`,
    { hidden: key === undefined ? {} : { key } },
  );

export const titleField = (value: string, tried: Tried | undefined): Html =>
  textField(
    {
      name: 'title',
      label: 'Title',
      autocomplete: 'off',
      hint: 'Shown in place of a post that is hidden with a warning.',
      value,
      problems: tried?.byField?.['title'],
    },
    MAX_TITLE,
  );

export const actionField = (chosen: string): Html =>
  radioField({
    name: 'filter_action',
    label: 'What happens to posts that match',
    choices: Object.entries(ACTIONS).map(([value, texts]) => ({ value, ...texts })),
    chosen,
  });

export const contextFields = (chosen: readonly string[]): Html =>
  html`<fieldset>
    <legend>Where</legend>
    ${Object.entries(CONTEXTS).map(([name, label]) =>
      checkField({
        name: 'context[]',
        id: `context-${name}`,
        label,
        value: name,
        checked: chosen.includes(name),
      }),
    )}
  </fieldset>`;

const keywordFields = (rows: readonly KeywordRow[]): Html =>
  html`<fieldset class="keywords">
    <legend>Words or phrases</legend>
    ${rows.map(keywordRow)}
    ${
      rows.length < MAX_ROWS + 3 &&
      html`<button name="more" value="true" class="plain small" formnovalidate>
        ${icon('plus')}Add keywords
      </button>`
    }
  </fieldset>`;

function keywordRow({ id, keyword, wholeWord, removed }: KeywordRow, index: number): Html {
  const name = (field: string): string => `keywords[${index}][${field}]`;
  const domId = `keyword-${index}`;
  const number = index + 1;
  return html`<div class="keyword" role="group" aria-label="Keyword ${number}">
    ${id !== '' && html`<input type="hidden" name="${name('id')}" value="${id}" />`}
    <input
      type="text"
      id="${domId}"
      name="${name('keyword')}"
      value="${keyword}"
      maxlength="${MAX_KEYWORD * 2}"
      autocomplete="off"
      dir="auto"
      aria-label="Word or phrase ${number}"
    />
    ${checkField({ name: name('whole_word'), id: `${domId}-whole`, label: 'Whole word', checked: wholeWord })}
    ${id !== '' && checkField({ name: name('removed'), id: `${domId}-removed`, label: 'Remove', checked: removed })}
  </div>`;
}
