/** One line of the result. Numbers that a row does not have are absent. */
export interface Row {
  name: string;
  perSecond?: number;
  /** Milliseconds. */
  p50?: number;
  p99?: number;
  bytes?: number;
  /** The baseline, per second. */
  floor?: number;
  /** The p99 of the baseline, in milliseconds: the limit of this machine at that hour. */
  floorP99?: number;
  ratio?: number;
  /** A value of the row and its bound, as a text and as a fact. */
  targets?: { text: string; met: boolean }[];
}

const COLUMNS = ['row', 'per second', 'p50 ms', 'p99 ms', 'bytes', 'floor/s', 'floor p99', 'ratio', 'target'];

/** A table in Markdown, its columns aligned. */
export function renderTable(rows: readonly Row[]): string {
  const cells = [COLUMNS, ...rows.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (isText(column) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  const [head = [], ...body] = cells;
  return [line(head), rule, ...body.map(line)].join('\n');
}

export const atLeast = (name: string, value: number, bound: number) => ({
  text: `${name} >= ${bound}`,
  met: value >= bound,
});
export const below = (name: string, value: number, bound: number) => ({
  text: `${name} < ${bound}`,
  met: value < bound,
});

/** The middle one; of an even number, the lower of the two in the middle. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;

export function percentiles(latencies: number[]): { p50: number; p95: number; p99: number } {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const isText = (column: number): boolean => column === 0 || column === COLUMNS.length - 1;
const pad = (cell: string, width: number, column: number): string =>
  isText(column) ? cell.padEnd(width) : cell.padStart(width);

function cellsOf({ name, perSecond, p50, p99, bytes, floor, floorP99, ratio, targets = [] }: Row): string[] {
  const shown = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '';
  return [
    name,
    shown(perSecond, 0),
    shown(p50, 2),
    shown(p99, 2),
    shown(bytes, 0),
    shown(floor, 0),
    shown(floorP99, 2),
    shown(ratio, 2),
    targets.map(({ text, met }) => `${text} ${met ? 'met' : 'MISSED'}`).join('; '),
  ];
}
