import { emptyState } from '../design/components.ts';
import { type Column, dataTable } from '../design/data-table.ts';
import { type Html, html, type Part } from '../design/html.ts';
import type { IconName } from '../design/icons.ts';
import type { WebRequest } from '../page/page.ts';
import { olderLink } from '../page/paging.ts';

/** How records of one kind are shown as a table. */
export interface RecordTable<Entity> {
  /** Their titles; a number or a long text has more to say. */
  columns: readonly (string | Column)[];
  /** Returns one cell for each column. */
  cells: (record: Entity, index: number) => readonly Part[];
  caption: string;
  /** Shown instead of a table without rows. */
  empty: { icon: IconName; text: string };
}

/** Renders records as a table, or says that there are none. */
export const recordTable = <Entity>(
  records: readonly Entity[],
  { columns, cells, caption, empty }: RecordTable<Entity>,
): Html =>
  records.length === 0
    ? emptyState(empty)
    : dataTable(
        columns.map((column) => (typeof column === 'string' ? { title: column } : column)),
        records.map((record, index) => ({ cells: cells(record, index) })),
        { caption },
      );

/** A page of records, and the parameters of the next one. */
interface Found<Entity> {
  entity: readonly Entity[];
  next: Readonly<Record<string, string>> | undefined;
}

/** Renders a page of records with links to older ones. `words` name the links of a list that is not by age. */
export const recordList = <Entity>(
  request: WebRequest,
  found: Found<Entity>,
  { words, ...table }: RecordTable<Entity> & { words?: readonly [first: string, more: string] },
): Html =>
  html`${recordTable(found.entity, table)}
  ${olderLink(request, found.entity.length === 0 ? undefined : found.next, words)}`;
