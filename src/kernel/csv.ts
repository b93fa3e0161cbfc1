import { invalid } from './errors.ts';

/** What a spreadsheet would take for a formula, and what looks like one that was made harmless. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * One line of a table in the format of RFC 4180, which ends it with CR LF. What a spreadsheet would take for a formula gets a
 * quote in front, since others wrote it: https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What stood in a cell before `csvLine` made it harmless. */
export const plainCell = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/**
 * The records of a table, whoever wrote it: lines end with LF, CR LF or CR, quoted cells may hold any of them. A byte order mark and
 * empty lines are left out.
 * @param maxRecords where there are more, one more than that is given
 * @throws RookeryError `invalid` for a quote that does not end, or what stands behind one
 */
export function parseCsv(text: string, maxRecords: number): string[][] {
  const records: string[][] = [];
  const reader = new CellReader(text);
  for (let record = reader.record(); record; record = reader.record()) {
    if (record.length === 1 && record[0]?.trim() === '') continue;
    records.push(record);
    if (records.length > maxRecords) break;
  }
  return records;
}

class CellReader {
  readonly #text: string;
  #at: number;
  /** How many records were begun, for messages. */
  #records = 0;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  /** Undefined at the end. */
  record(): string[] | undefined {
    if (this.#at >= this.#text.length) return undefined;
    this.#records += 1;
    const cells = [this.#cell()];
    while (this.#text[this.#at] === ',') {
      this.#at += 1;
      cells.push(this.#cell());
    }
    this.#at += this.#text.startsWith('\r\n', this.#at) ? 2 : 1;
    return cells;
  }

  #cell(): string {
    return this.#text[this.#at] === '"' ? this.#quoted() : this.#bare();
  }

  #bare(): string {
    const end = /[,\r\n]/g;
    end.lastIndex = this.#at;
    const stop = end.exec(this.#text)?.index ?? this.#text.length;
    const text = this.#text.slice(this.#at, stop);
    this.#at = stop;
    return text;
  }

  #quoted(): string {
    let end = this.#at;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end === -1) throw this.#broken('has a quote that does not end');
      // A quote inside is written twice.
    } while (this.#text[end + 1] === '"' && (end += 1));
    const text = this.#text.slice(this.#at + 1, end).replaceAll('""', '"');
    this.#at = end + 1;
    const next = this.#text[this.#at];
    if (next !== undefined && !',\r\n'.includes(next)) throw this.#broken('goes on behind a quote');
    return text;
  }

  #broken(what: string): Error {
    return invalid(`This is not a CSV file: record ${this.#records} ${what}`);
  }
}
