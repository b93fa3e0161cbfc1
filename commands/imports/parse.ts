import { setImmediate as nextTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import type { Instance } from '#kernel/context.ts';
import { invalid, type RookeryError } from '#kernel/errors.ts';
import { inSlices } from '#kernel/event-loop.ts';
import type { FailedRow, ImportRow } from '#kernel/services/imports.ts';
import { COLUMNS, type ImportType, MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from '#mastodon/portability.ts';
import { readCsv, separatorOf } from '#mastodon/read-csv.ts';
import { ADDRESS, type Column, MAX_CELLS, rowOf } from './rows.ts';

/** The required columns, in the order of files without a header. */
const NEEDED: Record<ImportType, readonly Column[]> = {
  following: ['account'],
  blocks: ['account'],
  mutes: ['account'],
  'domain-blocks': ['domain'],
  lists: ['list', 'account'],
  bookmarks: ['uri'],
};

/** Bytes that are decoded at a time. */
const PIECE = 65_536;

/** The rows of a file, once each, and the malformed ones. */
export interface ParsedImport {
  /** The columns that the header names, in their order; none without a header. */
  columns: readonly (Column | undefined)[];
  rows: ImportRow[];
  failed: FailedRow[];
}

/**
 * Parses a file in Mastodon's form, as Mastodon does: the header may be missing or have another order. The
 * last one of several rows about the same target counts. Yields to other work of the process.
 * @throws RookeryError `invalid` for a malformed file
 */
export async function parseImport(
  type: ImportType,
  file: Uint8Array,
  instance: Instance,
): Promise<ParsedImport> {
  const rows = new Map<string, ImportRow>();
  const failed: FailedRow[] = [];
  const text = await textOf(file);
  let header: readonly (Column | undefined)[] | undefined;
  let columns: readonly (Column | undefined)[] | undefined;
  let count = 0;
  for await (const { line, cells } of inSlices(
    readCsv(
      text,
      separatorOf(text, (first) => isTable(type, first)),
    ),
  )) {
    if (columns === undefined) {
      header = headerOf(type, cells);
      columns = header ?? NEEDED[type];
      if (header) continue;
    }
    count += 1;
    if (count > MAX_IMPORT_ROWS) throw invalid(`A file may have ${MAX_IMPORT_ROWS} rows at most`);
    const row = rowOf(type, cells, columns, instance);
    if ('reason' in row) failed.push({ ...row, line });
    else rows.set(`${row.list ?? ''}\n${row.key}`, { ...row, line });
  }
  if (rows.size === 0) throw unreadable(failed);
  return { columns: header ?? [], rows: [...rows.values()], failed };
}

function unreadable([first]: readonly FailedRow[]): RookeryError {
  if (!first) return invalid('The file is empty');
  const { line, value, reason } = first;
  return invalid(`No row can be read. The first one is line ${line}, "${value}": ${reason}`);
}

/** Tells whether the first record of a file, split at semicolons, is a header or a row. */
function isTable(type: ImportType, record: readonly string[]): boolean {
  if (record.some((cell) => columnNamed(cell) !== undefined)) return true;
  return type === 'lists' && record.length === 2 && ADDRESS.test(record[1]?.trim() ?? '');
}

async function textOf(file: Uint8Array): Promise<string> {
  if (file.byteLength > MAX_IMPORT_BYTES) throw invalid('The file is larger than 5 MB');
  // `readCsv` skips the byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const pieces: string[] = [];
  for (let start = 0; start < file.length; start += PIECE) {
    const end = start + PIECE;
    pieces.push(decoded(decoder, file.subarray(start, end), end < file.length));
    await nextTurn();
  }
  return pieces.join('');
}

/** @param more whether pieces follow, in which the last character may end */
function decoded(decoder: TextDecoder, piece: Uint8Array, more: boolean): string {
  // In UTF-16 text every other byte is NUL, which no text in a database may contain.
  if (piece.includes(0)) throw notText();
  try {
    return decoder.decode(piece, { stream: more });
  } catch {
    throw notText();
  }
}

const notText = (): RookeryError => invalid('The file is not UTF-8 text');

const BY_NAME = new Map(
  Object.entries(COLUMNS).map(([column, name]) => [name.toLowerCase(), column as Column]),
);

const columnNamed = (cell: string): Column | undefined => BY_NAME.get(cell.trim().toLowerCase());

/**
 * Returns the columns of the header; undefined when the first record is none. @throws RookeryError `invalid`
 * for the header of another kind of file
 */
function headerOf(type: ImportType, record: readonly string[] = []): (Column | undefined)[] | undefined {
  const columns = record.slice(0, MAX_CELLS).map(columnNamed);
  if (columns.every((column) => column === undefined)) return undefined;
  const missing = NEEDED[type].find((column) => !columns.includes(column));
  if (missing === undefined) return columns;
  throw invalid(`The file has no column "${COLUMNS[missing]}"`);
}
