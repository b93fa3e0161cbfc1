import { durationText, tenthsText } from '#kernel/quantities.ts';
import type {
  DecidingGroup,
  Ground,
  Means,
  MeasureKind,
  PeriodKind,
  Restriction,
} from '#mastodon/transparency.ts';
import { CATEGORIES } from '../moderation/words.ts';

export const KINDS: Readonly<Record<MeasureKind, string>> = {
  warning: 'Warning',
  post_sensitive: 'Post marked as sensitive',
  post_deletion: 'Post deleted',
  account_sensitive: 'Account marked as sensitive',
  account_limit: 'Account limited',
  account_freeze: 'Account frozen',
  account_suspension: 'Account suspended',
  server_block: 'Server blocked',
};

/** Article 17(1) of the Digital Services Act. */
export const RESTRICTIONS: Readonly<Record<Restriction, string>> = {
  visibility: 'Visibility of content (a)',
  service: 'Use of the service (c)',
  account: 'Account (d)',
  none: 'None',
  server: 'Another server',
};

export const GROUNDS: Readonly<Record<Ground, string>> = {
  legal: `Report: ${CATEGORIES.legal}`,
  violation: `Report: ${CATEGORIES.violation}`,
  spam: `Report: ${CATEGORIES.spam}`,
  other: `Report: ${CATEGORIES.other}`,
  own_initiative: 'Own initiative',
};

/** Rows that stand for few appeals or few people, so that they single out no person. */
export const MERGED = 'Others, together';

/** The groups whose decisions are appealed; that of a role has the name of the role. */
export const GROUPS: Readonly<Record<Exclude<DecidingGroup, 'role'>, string>> = {
  operator: 'Operator',
  automation: 'Automations',
  merged: MERGED,
};

export const MEANS: Readonly<Record<Means, string>> = {
  hand: 'By people',
  automated: 'Automated',
  remote: 'By another server',
};

export const PERIOD_NAMES: Readonly<Record<PeriodKind, string>> = {
  month: 'Months',
  quarter: 'Quarters',
  year: 'Years',
};

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });

/** Returns a period in words: `November 2026`, `4th quarter of 2026`, `2026`. */
export function periodText(period: string): string {
  const [year = '', part = ''] = period.split('-');
  if (part === '') return year;
  if (part.startsWith('Q'))
    return `${['1st', '2nd', '3rd', '4th'][Number(part[1]) - 1] ?? part} quarter of ${year}`;
  return MONTH.format(Date.parse(`${period}-01`));
}

/** Returns a period as the label of a chart. */
export function periodLabel(period: string): string {
  const [year = '', part = ''] = period.split('-');
  if (part === '') return year;
  const short = part.startsWith('Q') ? part : SHORT.format(Date.parse(`${period}-01`));
  return `${short} ${year.slice(2)}`;
}

/** Returns the median of durations; a dash without one. */
export const medianText = (seconds: number | null): string =>
  seconds === null ? '–' : durationText(seconds);

/** Returns the median of durations in hours; a dash without one. */
export const hoursText = (seconds: number | null): string =>
  seconds === null ? '–' : tenthsText(seconds / 3_600);
