import { z } from 'zod';
import { invalid, parameterMissing } from '#kernel/errors.ts';
import { type Id, idAt } from '#kernel/ids.ts';
import { readMoment } from '#kernel/moments.ts';

const DAY = 86_400_000;

/** The first and the last day, both included, in UTC: `2026-11-22`. */
export interface Period {
  first: string;
  last: string;
}

/**
 * `start_at` and `end_at`: a date, or a date with a time, which is ignored.
 * https://docs.joinmastodon.org/api/datetime-format/ @throws RookeryError `invalid`
 */
const dayParameter = z
  .string()
  .max(40)
  .transform((text): string => {
    const day = readMoment(text)?.day;
    if (day !== undefined && day >= '1970' && day < '3000') return day;
    throw invalid('Invalid date supplied');
  });

/** The same parameter, absent when it is blank. */
export const dayOrNothing = z.preprocess(
  (value: string | null | undefined) => (value === null || value === '' ? undefined : value),
  dayParameter.optional(),
);

/** Throws RookeryError `bad_request` for a missing parameter. */
export function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw parameterMissing(name);
  return value;
}

/** Throws RookeryError `invalid` when the end is before the start, or too far from it. */
export function periodOf(first: string, last: string, mostDays: number): Period {
  const days = daysBetween(first, last);
  if (days < 0) throw invalid('Validation failed: End at must not be before start at');
  if (days >= mostDays)
    throw invalid(`Validation failed: End at must be within ${mostDays} days of start at`);
  return { first, last };
}

/**
 * Returns the period before, as Mastodon computes it: moved back by the number of days between its first and
 * last day.
 */
export function periodBefore({ first, last }: Period): Period {
  const days = -daysBetween(first, last);
  return { first: dayAfter(first, days), last: dayAfter(last, days) };
}

/** Returns the bounds of the ids that were drawn in a period: the lowest, and the first one above. */
export const idsOf = ({ first, last }: Period): [lowest: Id, above: Id] => [
  idAt(Date.parse(first)),
  idAt(Date.parse(last) + DAY),
];

export const daysOf = ({ first, last }: Period): string[] =>
  Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => dayAfter(first, index));

/** Returns the day that many days later; a negative number means earlier. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** Returns a day in the form that Mastodon uses for cohorts. */
export const midnight = (day: string): string => `${day}T00:00:00+00:00`;

const daysBetween = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / DAY;
