import { type KeysetStatement, keysetStatement, type Reader, readPage } from '#kernel/paging.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';

const TITLES = statement<{ id: string; title: string }>('types_titles', 'select id, title from lists');
const DELETE = statement('types_delete', 'delete from lists');
const PAGE = keysetStatement<{ id: string }>('types_page', () => 'select id from lists');

export async function reading(db: Db, reader: Reader): Promise<void> {
  const [row] = await db.query(TITLES);
  row?.title.trim();
  // @ts-expect-error The statement selects no such column.
  row?.name;
  // @ts-expect-error The rows have another type.
  await db.query<{ id: number }>(TITLES);
  const [none] = await db.query(DELETE);
  // @ts-expect-error A statement without a type of rows returns none.
  none?.id;
  const { rows } = await readPage(reader, PAGE, { limit: 1 }, ({ id }) => id);
  // @ts-expect-error The page has no such column.
  rows[0]?.title;
}

// @ts-expect-error A statement of other rows does not fit.
export const other: Statement<{ name: string }> = TITLES;
// @ts-expect-error A page of other rows does not fit.
export const otherPage: KeysetStatement<{ name: string }> = PAGE;
