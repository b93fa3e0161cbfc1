import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watch } from './processes.ts';
import { median } from './table.ts';

/** One row of one run of a revision. */
export interface Turn {
  side: 'before' | 'after';
  pair: number;
  row: string;
  /** Undefined where the row has none; such a row has latencies. */
  perSecond: number | undefined;
  /** Milliseconds; undefined where the row has none. */
  p50: number | undefined;
  p99: number | undefined;
}

export interface Comparison {
  row: string;
  /**
   * The median of the pairs' ratios; the least and the greatest of them. More than 1 is better: rates are compared
   * as after / before, median latencies of rows without a rate as before / after.
   */
  ratio: number;
  least: number;
  greatest: number;
  p99Ratio: number | undefined;
  worse: boolean;
}

/** A row is worse when its ratio is below. */
const TOLERATED = 0.95;
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs the bench of another revision and of this working tree in turns (A B B A), and prints a JSON line for each row of
 * each turn, then a line for each row. Each side runs its own bench code, since the layouts may differ.
 * Returns whether no row is worse.
 */
export async function benchAgainst(revision: string, args: string[], pairs: number): Promise<boolean> {
  const other = checkOut(revision);
  const turns: Turn[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    // The machine may become slower with time, which this order takes out of the median.
    const order = pair % 2 === 1 ? (['before', 'after'] as const) : (['after', 'before'] as const);
    for (const side of order) {
      process.stderr.write(`Pair ${pair} of ${pairs}, ${side}\n`);
      const table = await runBench(side === 'before' ? other : root, args);
      for (const turn of parseTable(table, side, pair)) {
        turns.push(turn);
        process.stdout.write(`${JSON.stringify(turn)}\n`);
      }
    }
  }
  const rows = compareTurns(turns);
  if (rows.length === 0) throw new Error('The two revisions have no row in common: change --only');
  process.stdout.write(`\n${rows.map(lineOf).join('\n')}\n`);
  return rows.every(({ worse }) => !worse);
}

/** Reads the Markdown table that the bench of every revision prints: older ones print nothing else. */
export function parseTable(table: string, side: Turn['side'], pair: number): Turn[] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  const cell = (row: string[], column: string): string => row[head.indexOf(column)] ?? '';
  const figure = (row: string[], column: string): number | undefined =>
    cell(row, column) === '' ? undefined : Number(cell(row, column));
  return rows.map((row) => ({
    side,
    pair,
    row: cell(row, 'row'),
    perSecond: figure(row, 'per second'),
    p50: figure(row, 'p50 ms'),
    p99: figure(row, 'p99 ms'),
  }));
}

/** Compares the rows that both sides have; a ratio is of two neighbouring turns. */
export function compareTurns(turns: readonly Turn[]): Comparison[] {
  return [...new Set(turns.map(({ row }) => row))].flatMap((row) => {
    const of = (side: Turn['side']): Turn[] => turns.filter((turn) => turn.row === row && turn.side === side);
    const pairs = of('before').flatMap((before) => {
      const after = of('after').find(({ pair }) => pair === before.pair);
      return after === undefined ? [] : [{ before, after }];
    });
    const ratios = pairs.flatMap(({ before, after }) => ratioOf(before, after) ?? []);
    if (ratios.length === 0) return [];
    const p99s = pairs.flatMap(({ before, after }) =>
      before.p99 === undefined || after.p99 === undefined ? [] : [after.p99 / before.p99],
    );
    const ratio = middle(ratios);
    return {
      row,
      ratio,
      least: Math.min(...ratios),
      greatest: Math.max(...ratios),
      p99Ratio: p99s.length === 0 ? undefined : middle(p99s),
      worse: ratio < TOLERATED,
    };
  });
}

function ratioOf(before: Turn, after: Turn): number | undefined {
  if (before.perSecond !== undefined && after.perSecond !== undefined)
    return after.perSecond / before.perSecond;
  if (before.p50 === undefined || after.p50 === undefined) return undefined;
  return before.p50 / after.p50;
}

/** The mean of the two values in the middle, where there are two: of A B and B A, neither order weighs more. */
const middle = (values: readonly number[]): number =>
  (median(values) - median(values.map((value) => -value))) / 2;

const lineOf = ({ row, ratio, least, greatest, p99Ratio, worse }: Comparison): string =>
  [
    `${row}: ${ratio.toFixed(3)} (${least.toFixed(3)} to ${greatest.toFixed(3)})`,
    ...(p99Ratio === undefined ? [] : [`p99 ${p99Ratio.toFixed(2)}`]),
    ...(worse ? ['WORSE by more than 5 %'] : []),
  ].join(', ');

/** Checks the revision out beside this repository, where hard links work, until this process exits. */
function checkOut(revision: string): string {
  const folder = join(mkdtempSync(join(dirname(root.replace(/\/$/, '')), '.bench-')), 'revision');
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  git('worktree', 'add', '--detach', folder, revision);
  process.once('exit', () => {
    git('worktree', 'remove', '--force', folder);
    execFileSync('rmdir', [dirname(folder)]);
  });
  const lockFile = (of: string): string => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (lockFile(folder) === lockFile(root)) linkModules(folder);
  else execFileSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 2, 2] });
  return folder;
}

function linkModules(folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  try {
    execFileSync('cp', ['-al', from, to], { stdio: 'pipe' });
  } catch {
    // Not every `cp` can link, and a file system may refuse it.
    if (!existsSync(join(to, '.package-lock.json')))
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

async function runBench(folder: string, args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['bench/main.ts', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  watch(child);
  let table = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (table += text));
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code !== 0) throw new Error(`The bench in ${folder} failed: run it there alone to see why`);
  return table;
}
