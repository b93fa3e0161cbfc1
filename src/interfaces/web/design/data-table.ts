import { type Html, html, type Part } from './html.ts';

export interface Column {
  title: string;
  /** Aligned at its end. */
  number?: boolean;
  /** Breaks long words, such as addresses, rather than widening the table. */
  breaks?: boolean;
  /** Left out on phones, where each row is a card; the page of the row has it. */
  minor?: boolean;
}

export interface Row {
  /** One for each column. */
  cells: readonly Part[];
  id?: string;
}

/** Renders a table whose rows become cards on phones. The first cell of a row is its heading. */
export const dataTable = (
  columns: readonly Column[],
  rows: readonly Row[],
  { caption, id }: { caption?: string; id?: string } = {},
): Html =>
  html`<div class="table-box cards-on-phones" ${id !== undefined && html`id="${id}"`}>
    <table>
      ${
        caption !== undefined &&
        html`<caption class="hush">
          ${caption}
        </caption>`
      }
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" ${lookOf(column)}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => tableRow(columns, row))}
      </tbody>
    </table>
  </div>`;

function lookOf(column: Column | undefined): Html | false {
  const names = (['number', 'breaks', 'minor'] as const).filter((name) => column?.[name]);
  return names.length > 0 && html`class="${names.join(' ')}"`;
}

const tableRow = (columns: readonly Column[], { cells, id }: Row): Html =>
  html`<tr ${id !== undefined && html`id="${id}"`}>
    ${cells.map((cell, index) => {
      const column = columns[index];
      const look = lookOf(column);
      return index === 0
        ? html`<th scope="row" ${look}>${cell}</th>`
        : html`<td data-label="${column?.title}" ${look}>${cell}</td>`;
    })}
  </tr>`;

/** Renders a state as a word with a colour. */
export const stateBadge = (text: string, look?: 'good' | 'bad' | 'busy'): Html =>
  html`<span class="state${look !== undefined && ` ${look}`}">${text}</span>`;

/** Lets a name such as `account_id` break after its underscores. */
const breakable = (name: string): Html =>
  html`${name.split('_').map((word, index) => html`${index > 0 && html`_<wbr />`}${word}`)}`;

/** Renders names with their values; a value of `false` is left out with its name. */
export const factList = (facts: readonly (readonly [name: string, value: Part])[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        value !== false &&
        html`<dt>${breakable(name)}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
