import { z } from 'zod';
import { invalid, parameterMissing } from '../../../src/kernel/errors.ts';
import { idAt, type Id } from '../../../src/kernel/ids.ts';

const DAY = 86_400_000;

/** Days from the first to the last one, both included: `2026-11-22`, in UTC. */
export interface Period {
  first: string;
  last: string;
}

/** `start_at` and `end_at`: a date, or a date with a time, which does not count. https://docs.joinmastodon.org/api/datetime-format/ */
const dayParameter = z
  .string()
  .max(40)
  .transform((text, problems): string => {
    const [day] = /^(?:19[7-9]|2\d\d)\d-\d\d-\d\d(?=$|[T ])/.exec(text.trim()) ?? [];
    if (day !== undefined && z.iso.date().safeParse(day).success) return day;
    problems.addIssue('is no date');
    return z.NEVER;
  });

/** The same, absent where it is blank. */
export const dayOrNothing = z.preprocess(
  (value) => (value === null || value === '' ? undefined : value),
  dayParameter.optional(),
);

/** @throws RookeryError `bad_request` for a parameter that is missing */
export function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw parameterMissing(name);
  return value;
}

/** @throws RookeryError `invalid` where the end is before the start, or too far from it */
export function periodOf(first: string, last: string, mostDays: number): Period {
  const days = daysBetween(first, last);
  if (days < 0) throw invalid('Validation failed: End at must not be before start at');
  if (days >= mostDays)
    throw invalid(`Validation failed: End at must be within ${mostDays} days of start at`);
  return { first, last };
}

/** The period before, in Mastodon's way: moved back by as many days as lie between its first and last one. */
export function periodBefore({ first, last }: Period): Period {
  const days = -daysBetween(first, last);
  return { first: dayAfter(first, days), last: dayAfter(last, days) };
}

/** The ids made in a period are at least the first of these, and below the second. */
export const idsOf = ({ first, last }: Period): [lowest: Id, above: Id] => [
  idAt(Date.parse(first)),
  idAt(Date.parse(last) + DAY),
];

/** Each of its days. */
export const daysOf = ({ first, last }: Period): string[] =>
  Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => dayAfter(first, index));

/** So many days later; earlier, where they are negative. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** As Mastodon writes a day of cohorts. */
export const midnight = (day: string): string => `${day}T00:00:00+00:00`;

const daysBetween = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / DAY;
