import { table } from './table.ts';

/** The form of everything that a verb prints, chosen by `--json` and `--quiet`. */
interface Form {
  json: boolean;
  quiet: boolean;
}

let form: Form = { json: false, quiet: false };

/** Chooses the form for the verb that runs next. */
export function chooseOutput({ json = false, quiet = false }: Partial<Form>): void {
  form = { json, quiet };
}

export const isQuiet = (): boolean => form.quiet;
export const isJson = (): boolean => form.json;

/** A value in a table or in a row; null is an unknown or missing one. */
export type Cell = string | number | boolean | null;

/**
 * Confirms what was done, unless `--quiet`. With `--json`, prints an object with the text as `message`, and
 * the facts.
 */
export function confirm(message = 'OK', facts: Readonly<Record<string, unknown>> = {}): void {
  if (form.json) printJson({ message, ...facts });
  else if (!form.quiet) printText(message);
}

/** Prints what the user asked for: a text, or with `--json` the facts of it. */
export function printResult(text: string, facts: Readonly<Record<string, unknown>>): void {
  if (form.json) printJson(facts);
  else printText(text);
}

/**
 * Prints a table with a heading; with `--json` an object for each row, whose members have the names of the
 * columns in lower case. Prints no heading without rows where `headless` says so.
 */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  { headless = false } = {},
): void {
  if (form.json) {
    const names = head.map((name) => name.toLowerCase().replaceAll(' ', '_'));
    for (const row of rows) printJson(Object.fromEntries(names.map((name, index) => [name, row[index]])));
  } else if (rows.length > 0 || !headless) printText(table([head, ...rows.map((row) => row.map(textOf))]));
}

/** Prints one row of a list: the values between tabs, or with `--json` an object. */
export function printRow(row: Readonly<Record<string, Cell | readonly string[]>>): void {
  if (form.json) printJson(row);
  else printText(Object.values(row).map(textOf).join('\t'));
}

/** Prints facts about one thing, a line each; with `--json` one object. A repeated name makes a list. */
export function printFacts(facts: readonly (readonly [name: string, value: Cell])[]): void {
  if (!form.json) return printText(table(facts.map(([name, value]) => [name, textOf(value)])));
  const members = new Map<string, Cell | Cell[]>();
  for (const [name, value] of facts) {
    const key = name.toLowerCase().replaceAll(' ', '_');
    const earlier = members.get(key);
    members.set(key, earlier === undefined ? value : [earlier, value].flat());
  }
  printJson(Object.fromEntries(members));
}

/** Prints an object as JSON on one line. */
export const printJson = (value: unknown): void => printText(JSON.stringify(value));

const printText = (text: string): void => void process.stdout.write(`${text}\n`);

function textOf(value: Cell | readonly string[]): string {
  if (value === null) return '-';
  if (typeof value === 'object') return value.join(',') || '-';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
