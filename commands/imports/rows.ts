import type { Instance } from '#kernel/context.ts';
import type { FailedRow, ImportRow, RowSettings } from '#kernel/services/imports.ts';
import { isLonger } from '#mastodon/characters.ts';
import { plainCell } from '#mastodon/csv.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { languageCode } from '#mastodon/language.ts';
import type { COLUMNS, ImportType } from '#mastodon/portability.ts';
import { acctKey } from '#queries/accounts/index.ts';
import { MAX_TITLE } from '../lists/index.ts';

/** UTF-16 units of one cell, as many as an address may have; and cells of one record. */
const MAX_CELL = 2_048;
export const MAX_CELLS = 20;
/** The length of a refused value in messages. */
const SHOWN = 100;
const MAX_LANGUAGES = 200;

export type Column = keyof typeof COLUMNS;

type Row = Omit<ImportRow, 'line'>;
type Refused = Omit<FailedRow, 'line'>;

const refused = (value: string, reason: string): Refused => ({
  value: value.slice(0, SHOWN),
  key: '',
  list: null,
  settings: {},
  reason,
});

/** Returns what one record asks for, or why it cannot be read. */
export function rowOf(
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

export const ADDRESS = /^[^@\s]{1,200}(?:@[^@\s]{1,300})?$/;

function accountRow(value: string, instance: Instance): Row | Refused {
  const address = value.replace(/^acct:/i, '').replace(/^@/, '');
  if (!ADDRESS.test(address)) return refused(value, 'This is not an address');
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
