import { csvLine } from '../../src/kernel/csv.ts';
import type { Id } from '../../src/kernel/ids.ts';
import type { FailedRow, Imports } from '../../src/kernel/services/imports.ts';

const PAGE = 1_000;

/** The rows of an import that were not carried out, in the order of the file. */
export async function* failuresOf(imports: Imports, id: Id): AsyncGenerator<FailedRow> {
  for (let after = 0; ;) {
    const rows = await imports.failures(id, after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.line;
  }
}

/** The same as a table: where the row is in the file, the list, what it names, why not. */
export async function* failuresCsv(imports: Imports, id: Id): AsyncGenerator<string> {
  yield csvLine(['Line', 'List name', 'Value', 'Reason']);
  for await (const { line, list, value, reason } of failuresOf(imports, id)) {
    yield csvLine([String(line), list ?? '', value, reason]);
  }
}
