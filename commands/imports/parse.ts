import { acctKey } from '../../queries/accounts/index.ts';
import type { Instance } from '../../src/kernel/context.ts';
import { plainCell } from '../../src/mastodon/csv.ts';
import { canonicalDomain } from '../../src/mastodon/domain-name.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { inSlices } from '../../src/kernel/event-loop.ts';
import { readCsv } from '../../src/mastodon/read-csv.ts';
import { languageCode } from '../../src/mastodon/language.ts';
import {
  COLUMNS,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ROWS,
  type ImportType,
} from '../../src/mastodon/portability.ts';
import type { FailedRow, ImportRow, RowSettings } from '../../src/kernel/services/imports.ts';
import { isLonger } from '../../src/mastodon/characters.ts';
import { MAX_TITLE } from '../lists/index.ts';

/** UTF-16 units of one cell, as many as an address may have; and cells of one record. */
const MAX_CELL = 2_048;
const MAX_CELLS = 20;
/** The length of a refused value in messages. */
const SHOWN = 100;
const MAX_LANGUAGES = 200;

type Column = keyof typeof COLUMNS;
/** The required columns, in the order of files without a header. */
const NEEDED: Record<ImportType, readonly Column[]> = {
  following: ['account'],
  blocks: ['account'],
  mutes: ['account'],
  'domain-blocks': ['domain'],
  lists: ['list', 'account'],
  bookmarks: ['uri'],
};

/** The rows of a file, once each, and the malformed ones. */
export interface ParsedImport {
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
  let columns: readonly (Column | undefined)[] | undefined;
  let count = 0;
  for await (const { line, cells } of inSlices(readCsv(textOf(file)))) {
    if (columns === undefined) {
      const header = headerOf(type, cells);
      columns = header ?? NEEDED[type];
      if (header) continue;
    }
    count += 1;
    if (count > MAX_IMPORT_ROWS) throw invalid(`A file may have ${MAX_IMPORT_ROWS} rows at most`);
    const row = rowOf(type, cells, columns, instance);
    if ('reason' in row) failed.push({ ...row, line });
    else rows.set(`${row.list ?? ''}\n${row.key}`, { ...row, line });
  }
  if (rows.size === 0) throw invalid(failed.length === 0 ? 'The file is empty' : 'No row can be read');
  return { rows: [...rows.values()], failed };
}

function textOf(file: Uint8Array): string {
  if (file.byteLength > MAX_IMPORT_BYTES) throw invalid('The file is larger than 5 MB');
  const text = decoded(file);
  // In UTF-16 text every other byte is NUL, which no text in a database may contain.
  if (text === undefined || text.includes('\0')) throw invalid('The file is not UTF-8 text');
  return text;
}

function decoded(file: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return undefined;
  }
}

const BY_NAME = new Map(
  Object.entries(COLUMNS).map(([column, name]) => [name.toLowerCase(), column as Column]),
);

/**
 * Returns the columns of the header; undefined when the first record is none. @throws RookeryError `invalid`
 * for the header of another kind of file
 */
function headerOf(type: ImportType, record: readonly string[] = []): (Column | undefined)[] | undefined {
  const columns = record.slice(0, MAX_CELLS).map((cell) => BY_NAME.get(cell.trim().toLowerCase()));
  if (columns.every((column) => column === undefined)) return undefined;
  const missing = NEEDED[type].find((column) => !columns.includes(column));
  if (missing === undefined) return columns;
  throw invalid(`The file has no column "${COLUMNS[missing]}"`);
}

type Row = Omit<ImportRow, 'line'>;
type Refused = Omit<FailedRow, 'line'>;

const refused = (value: string, reason: string): Refused => ({
  value: value.slice(0, SHOWN),
  key: '',
  list: null,
  settings: {},
  reason,
});

function rowOf(
  type: ImportType,
  record: readonly string[],
  columns: readonly (Column | undefined)[],
  instance: Instance,
): Row | Refused {
  if (record.length > MAX_CELLS || record.some((cell) => cell.length > MAX_CELL)) {
    return refused(record[0] ?? '', 'The row is too long');
  }
  const cell = (column: Column): string | undefined => {
    const text = record[columns.indexOf(column)];
    return text === undefined ? undefined : plainCell(text.trim()).trim();
  };
  switch (type) {
    case 'domain-blocks':
      return domainRow(cell('domain') ?? '');
    case 'bookmarks':
      return bookmarkRow(cell('uri') ?? '');
    case 'lists':
      return listRow(cell('list') ?? '', accountRow(cell('account') ?? '', instance));
    default:
      return { ...accountRow(cell('account') ?? '', instance), settings: settingsOf(type, cell) };
  }
}

function accountRow(value: string, instance: Instance): Row | Refused {
  const address = value.replace(/^acct:/i, '').replace(/^@/, '');
  if (!/^[^@\s]{1,200}(?:@[^@\s]{1,300})?$/.test(address)) return refused(value, 'This is not an address');
  return { value: address, key: acctKey(address, instance), list: null, settings: {} };
}

function listRow(title: string, row: Row | Refused): Row | Refused {
  if ('reason' in row) return row;
  if (title === '') return refused(row.value, 'The list has no name');
  if (isLonger(title, MAX_TITLE)) return refused(row.value, 'The name of the list is too long');
  return { ...row, list: title };
}

function domainRow(value: string): Row | Refused {
  const domain = canonicalDomain(value);
  if (domain === undefined || value === '') return refused(value, 'This is not a domain');
  return { value: domain, key: domain, list: null, settings: {} };
}

function bookmarkRow(value: string): Row | Refused {
  const url = URL.parse(value);
  // The index of keys holds no longer values: a third of a page of Postgres, in bytes.
  const isLong = Buffer.byteLength(value) > MAX_CELL;
  if (isLong || !url || !/^https?:$/.test(url.protocol))
    return refused(value, 'This is not the address of a post');
  return { value, key: value, list: null, settings: {} };
}

const NO = new Set(['false', '0', 'f', 'off', 'no', 'n']);
const said = (text: string | undefined): boolean | undefined =>
  text === undefined || text === '' ? undefined : !NO.has(text.toLowerCase());

function settingsOf(type: ImportType, cell: (column: Column) => string | undefined): RowSettings {
  const [reblogs, notify, notifications] = [
    said(cell('reblogs')),
    said(cell('notify')),
    said(cell('notifications')),
  ];
  if (type === 'mutes') return notifications === undefined ? {} : { notifications };
  if (type !== 'following') return {};
  const languages = cell('languages');
  return {
    ...(reblogs === undefined ? {} : { reblogs }),
    ...(notify === undefined ? {} : { notify }),
    ...(languages === undefined ? {} : { languages: languagesIn(languages) }),
  };
}

/** Omits unknown languages; null for all. */
function languagesIn(text: string): string[] | null {
  const codes = text.split(',', MAX_LANGUAGES).map((tag) => languageCode(tag.trim()));
  const known = [...new Set(codes.filter((code) => code !== null))];
  return known.length === 0 ? null : known;
}
