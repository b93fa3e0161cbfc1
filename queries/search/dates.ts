import { FIRST_MOMENT, LAST_MOMENT } from '#kernel/time.ts';

/** A year, a month, a day, or a time of ISO 8601; without an offset it is UTC. */
const DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?)?)?$/i;

/**
 * Returns the range of a date, in milliseconds since 1970: `start` to `end`, exclusive. Undefined for text
 * that is no date. Dates outside of Postgres's range are cut to it, because no post is that old or new.
 */
export function dateRange(text: string): { start: number; end: number } | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [, year = '', month, day, time] = match;
  const first = new Date(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00Z`);
  // Date turns 30 February into 2 March.
  if (Number.isNaN(first.getTime()) || (day !== undefined && first.getUTCDate() !== Number(day))) {
    return undefined;
  }
  if (time !== undefined) {
    const zone = /(?:Z|[+-]\d{2}:\d{2})$/i.test(time) ? '' : 'Z';
    const start = Date.parse(`${year}-${month ?? ''}-${day ?? ''}${time.toUpperCase()}${zone}`);
    return Number.isNaN(start) ? undefined : range(start, start + 1);
  }
  const next = new Date(first);
  if (day !== undefined) next.setUTCDate(next.getUTCDate() + 1);
  else if (month !== undefined) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCFullYear(next.getUTCFullYear() + 1);
  return range(first.getTime(), next.getTime());
}

const range = (start: number, end: number): { start: number; end: number } => ({
  start: bounded(start),
  end: bounded(end),
});
const bounded = (time: number): number => Math.min(Math.max(time, FIRST_MOMENT), LAST_MOMENT);
