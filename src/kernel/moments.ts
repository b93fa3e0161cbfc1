import { invalid } from './errors.ts';

/** A point in time that a client or another server wrote down. */
export interface WrittenMoment {
  /** ISO 8601 in UTC. */
  at: string;
  /** The day as written, in its own zone: `2026-12-02`. */
  day: string;
  /** Day and month are numbers that may change places, so that the writer may mean another day. */
  isAmbiguous: boolean;
}

const MAX_LENGTH = 100;
const EARLIEST = '1970-01-01T00:00:00.000Z';
const YEAR_FIRST = 'write the year first, such as 2026-12-31T20:00:00Z';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS =
  'january|february|march|april|may|june|july|august|september|sept|october|november|december';
const MONTH = `(?<name>${FULL_MONTHS}|${MONTHS.join('|')})\\.?`;
const WEEKDAY = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,12}))?)?(?:\s*(?<half>[ap])\.?m\.?)?`;
const ZONE = String.raw`\s*(?<zone>z|(?:utc|gmt)?[+-]\d{2}(?::?\d{2})?|utc|ut|gmt|[ecmp][sd]t)(?:\s*\([^()]*\))?`;
const TIME = `(?:(?:\\s*t\\s*|,?\\s+)${CLOCK}(?:${ZONE})?)?`;

/** The order of the numbers is Ruby's: a year first, or else the day. */
const FORMS = [
  String.raw`(?<year>\d{4})(?<mark>[-/.])\s?(?<month>\d{1,2})\k<mark>\s?(?<day>\d{1,2})\.?${TIME}`,
  String.raw`(?<day>\d{1,2})(?<dayFirst>[-/.])\s?(?<month>\d{1,2})\k<dayFirst>\s?(?<year>\d{4})${TIME}`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:t?(?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,](?<fraction>\d{1,12}))?)?(?:${ZONE})?)?`,
  `${WEEKDAY}(?<day>\\d{1,2})[- ]${MONTH}[-, ]\\s?(?<year>\\d{4})${TIME}`,
  `${WEEKDAY}${MONTH}\\s+(?<day>\\d{1,2}),?\\s+(?<year>\\d{4})${TIME}`,
  `${WEEKDAY}${MONTH}\\s+(?<day>\\d{1,2})\\s+${CLOCK}(?:${ZONE})?\\s+(?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/** Hours from UTC of the zones that RFC 5322, 4.3 names. */
const NAMED_ZONES: Readonly<Record<string, number>> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
};

/**
 * Reads a moment in the forms that Ruby's `DateTime.parse` reads and that mean one day: ISO 8601, HTTP and
 * mail dates, English month names, numbers with the year or the day first. UTC where no zone is written.
 * @returns undefined for other text, for a day or a time that no calendar has, and for years outside of 1 to 9999
 */
export function readMoment(text: string): WrittenMoment | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim();
  for (const form of FORMS) {
    const parts = form.exec(trimmed)?.groups;
    if (parts) return momentOf(parts);
  }
  return undefined;
}

/**
 * Reads a moment of which no other reading is possible, ISO 8601 in UTC: a filter by the wrong day finds
 * events, and looks right.
 * @returns undefined also for numbers whose day and month may change places
 */
export function readCertainMoment(text: string): string | undefined {
  const moment = readMoment(text);
  return moment?.isAmbiguous === false ? moment.at : undefined;
}

/**
 * Returns the requested time, ISO 8601 in UTC. A time that is past although another reading of its numbers
 * would lie ahead is refused, because past times take effect at once.
 * @throws RookeryError `invalid` with `refusal` for text that is no time
 */
export function requiredMoment(text: string, { now, refusal }: { now: string; refusal: string }): string {
  const moment = readMoment(text);
  if (moment === undefined || moment.at < EARLIEST) throw invalid(refusal);
  if (moment.isAmbiguous && moment.at <= now) throw invalid(`${refusal}: ${YEAR_FIRST}`);
  return moment.at;
}

type Parts = Record<string, string | undefined>;

function momentOf(parts: Parts): WrittenMoment | undefined {
  const date = dateOf(parts);
  const time = timeOf(parts);
  const offset = offsetOf(parts['zone']);
  if (date === undefined || time === undefined || offset === undefined) return undefined;
  const moment = new Date(date.time + time - offset);
  const at = Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
  return /^(?!0000)\d{4}-/.test(at) ? { at, day: date.day, isAmbiguous: date.isAmbiguous } : undefined;
}

function dateOf({ year, month, name, day, dayFirst }: Parts) {
  const ofMonth = Number(day);
  const ofYear = name === undefined ? Number(month) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const written = [year, ofYear, ofMonth].map((part) => String(part).padStart(2, '0')).join('-');
  const time = Date.parse(`${written}T00:00:00Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(written)) return undefined;
  return { time, day: written, isAmbiguous: dayFirst !== undefined && ofMonth <= 12 && ofMonth !== ofYear };
}

/** Returns the milliseconds since midnight. */
function timeOf({ hour = '0', minute = '0', second = '0', fraction = '', half }: Parts): number | undefined {
  const [hours, minutes, seconds] = [hourOfDay(Number(hour), half), Number(minute), Number(second)];
  if (hours === undefined || minutes > 59 || seconds > 59) return undefined;
  const time = ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return time > DAY ? undefined : time;
}

function hourOfDay(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Returns the milliseconds by which the clocks of a zone are ahead of UTC. */
function offsetOf(zone = 'z'): number | undefined {
  const named = NAMED_ZONES[zone.toLowerCase()];
  if (named !== undefined) return named * HOUR;
  const [, sign, hours, minutes = '0'] = /([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60_000);
}
