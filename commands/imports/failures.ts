import { eachOf } from '#kernel/batches.ts';
import type { Id } from '#kernel/ids.ts';
import type { FailedRow, Imports } from '#kernel/services/imports.ts';
import { csvLine } from '#mastodon/csv.ts';

const PAGE = 1_000;

/** Yields the failed rows of an import, in the order of the file. */
export const failuresOf = (imports: Imports, id: Id): AsyncGenerator<FailedRow> =>
  eachOf((after, limit) => imports.failures(id, after, limit), {
    from: 0,
    cursorOf: ({ line }) => line,
    size: PAGE,
  });

/** Yields the same as a table: the line in the file, the list, the target, the reason. */
export async function* failuresCsv(imports: Imports, id: Id): AsyncGenerator<string> {
  yield csvLine(['Line', 'List name', 'Value', 'Reason']);
  for await (const { line, list, value, reason } of failuresOf(imports, id)) {
    yield csvLine([String(line), list ?? '', value, reason]);
  }
}
