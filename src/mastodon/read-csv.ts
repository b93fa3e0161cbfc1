import { invalid } from '#kernel/errors.ts';

export interface CsvRecord {
  /** The number of its first line, from 1. */
  line: number;
  cells: string[];
}

/** UTF-16 units of a record, which bounds the work of one step. */
const MAX_RECORD = 65_536;
const BREAK = /\r\n|\r|\n/g;
/** Spreadsheets of countries with a comma in their decimals write semicolons. */
export type Separator = ',' | ';';
/** Matches the end of an unquoted cell. */
const END = { ',': /[,\r\n]/g, ';': /[;\r\n]/g } as const satisfies Record<Separator, RegExp>;

/**
 * Yields the records of a table in the format of RFC 4180, with any of the three line ends. Skips a byte
 * order mark and empty lines; cells are not trimmed. Takes linear time.
 * @throws RookeryError `invalid` for an unterminated quote, text after a closing quote, or a record of more
 * than 64 KiB
 */
export function* readCsv(text: string, separator: Separator = ','): Generator<CsvRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    const longest = at + MAX_RECORD;
    for (;;) {
      const cell =
        text[at] === '"'
          ? quotedCell(text, at, { line, longest, separator })
          : plainCell(text, at, separator);
      if (cell.end > longest) throw tooLong(record.line);
      record.cells.push(cell.text);
      line += cell.text.match(BREAK)?.length ?? 0;
      at = cell.end;
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    if (record.cells.length > 1 || record.cells[0]?.trim() !== '') yield record;
  }
}

/**
 * Returns the semicolon where it splits the first record into several cells that `isTable` knows, otherwise the
 * comma.
 */
export function separatorOf(text: string, isTable: (first: readonly string[]) => boolean): Separator {
  try {
    const [first] = readCsv(text.slice(0, MAX_RECORD), ';');
    return first && first.cells.length > 1 && isTable(first.cells) ? ';' : ',';
  } catch {
    return ',';
  }
}

interface Cell {
  text: string;
  /** The position after it: of a comma, the end of the line, or the end of the text. */
  end: number;
}

function plainCell(text: string, start: number, separator: Separator): Cell {
  const ending = END[separator];
  ending.lastIndex = start;
  const end = ending.exec(text)?.index ?? text.length;
  return { text: text.slice(start, end), end };
}

interface Quoted {
  line: number;
  longest: number;
  separator: Separator;
}

function quotedCell(text: string, start: number, { line, longest, separator }: Quoted): Cell {
  let quote = text.indexOf('"', start + 1);
  // A doubled quote belongs to the text.
  while (quote !== -1 && quote <= longest && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote > longest) throw tooLong(line);
  if (quote === -1) throw invalid(`Line ${line}: a quote does not end`);
  const end = quote + 1;
  if (end < text.length && !`${separator}\r\n`.includes(text.charAt(end))) {
    throw invalid(`Line ${line}: there is text behind a quote`);
  }
  return { text: text.slice(start + 1, quote).replaceAll('""', '"'), end };
}

const tooLong = (line: number) => invalid(`Line ${line}: the row is too long`);
