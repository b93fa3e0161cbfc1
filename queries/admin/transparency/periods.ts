import { invalid } from '#kernel/errors.ts';
import type { PeriodKind } from '#mastodon/transparency.ts';

const MONTHS: Readonly<Record<PeriodKind, number>> = { month: 1, quarter: 3, year: 12 };
/** Periods that a report has unless the first one is named. */
const USUAL: Readonly<Record<PeriodKind, number>> = { month: 12, quarter: 8, year: 5 };
const MOST_MONTHS = 120;

/** Months, both inclusive: `2026-11`. */
export interface Range {
  from: string;
  until: string;
}

/** Returns the name of the period of a month: `2026-11`, `2026-Q4`, `2026`. */
export function periodOf(by: PeriodKind, month: string): string {
  const [year = '', number = ''] = month.split('-');
  if (by === 'month') return month;
  return by === 'year' ? year : `${year}-Q${Math.ceil(Number(number) / 3)}`;
}

/**
 * Returns the range of whole periods around the months that are named; by default it ends now. @throws RookeryError
 * `invalid`
 */
export function rangeOf(
  by: PeriodKind,
  given: { from?: string | undefined; until?: string | undefined },
  now: string,
): Range {
  const size = MONTHS[by];
  const last = numberOf(given.until ?? now.slice(0, '2026-11'.length));
  const end = last - (last % size) + size - 1;
  const first = given.from === undefined ? end - USUAL[by] * size + 1 : numberOf(given.from);
  const start = first - (first % size);
  if (given.until !== undefined && end < start) throw invalid('until is before from');
  if (end - start >= MOST_MONTHS) throw invalid('from and until are more than ten years apart');
  return { from: monthAt(start), until: monthAt(end) };
}

/** Returns the names of the periods of a range, the newest one first; none for a range that ends before it starts. */
export function periodsIn(by: PeriodKind, { from, until }: Range): string[] {
  const [start, end] = [numberOf(from), numberOf(until)];
  const months = Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => monthAt(end - index));
  return [...new Set(months.map((month) => periodOf(by, month)))];
}

/** Returns the first moment of a range and the first one after it, in milliseconds since 1970. */
export const momentsOf = ({ from, until }: Range): { start: number; end: number } => ({
  start: Date.parse(`${from}-01T00:00:00Z`),
  end: Date.parse(`${monthAt(numberOf(until) + 1)}-01T00:00:00Z`),
});

/** Months since the year 0. */
function numberOf(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return year * 12 + number - 1;
}

const monthAt = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
