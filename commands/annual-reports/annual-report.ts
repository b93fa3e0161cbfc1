import type { AnnualReportData, AnnualReportEvent } from '#events/annual-reports.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `annual-report-<account>-<year>`: the state of the report. */
export type AnnualReport = 'none' | 'unread' | 'read';

export const annualReport: Decider<AnnualReport, AnnualReportEvent> = {
  initialState: 'none',
  evolve: (_state, { type }) => (type === 'AnnualReportRead' ? 'read' : 'unread'),
};

export interface Year {
  account_id: Id;
  year: number;
}

/** Decides once: the first count stays. Pure. */
export const decideGenerated = (
  state: AnnualReport,
  year: Year,
  data: AnnualReportData,
): AnnualReportEvent[] =>
  state === 'none' ? [{ type: 'AnnualReportGenerated', data: { ...year, ...data } }] : [];

/** Decides once. Pure. @throws RookeryError `not_found` */
export function decideRead(state: AnnualReport, year: Year): AnnualReportEvent[] {
  if (state === 'none') throw notFound();
  return state === 'read' ? [] : [{ type: 'AnnualReportRead', data: year }];
}
