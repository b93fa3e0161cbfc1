/** The time in which users may request their annual report: in December, always, or never. */
export type AnnualReportsOffer = 'december' | 'always' | 'never';

/** The day in December, as in Mastodon: most of the year is over, and there is time left to share. */
const FIRST_DAY = 10;

/**
 * Returns the year whose reports may be made at a moment (ISO 8601), in UTC; null for none.
 * https://docs.joinmastodon.org/methods/annual_reports/
 */
export function annualReportYear(moment: string, offered: AnnualReportsOffer): number | null {
  const [year = 0, month = 0, day = 0] = moment.slice(0, 10).split('-').map(Number);
  if (offered === 'december') return month === 12 && day >= FIRST_DAY ? year : null;
  return offered === 'always' ? year : null;
}
