import type { ReportCategory, ReportEvent } from '#events/reports.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

export interface FiledReport {
  state: 'filed';
  id: Id;
  target_account_id: Id;
  category: ReportCategory;
  rule_ids: readonly Id[];
  /** The assigned member of staff. */
  assigned: Id | null;
  resolved: boolean;
  /** Staff reopened it after it was resolved. */
  reopened: boolean;
  /** Strikes with a lower id precede the last reopening; undefined for reopenings that do not say. */
  reopened_after?: Id | undefined;
}

/** Stream `report-<id>`. */
export type Report = { state: 'none' } | FiledReport;

export const report: Decider<Report, ReportEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'ReportFiled') {
      const { id, target_account_id, category, rule_ids } = event.data;
      const filed = { id, target_account_id, category, rule_ids };
      return { state: 'filed', ...filed, assigned: null, resolved: false, reopened: false };
    }
    return state.state === 'filed' ? evolveFiled(state, event) : state;
  },
};

function evolveFiled(state: FiledReport, event: Exclude<ReportEvent, { type: 'ReportFiled' }>): Report {
  switch (event.type) {
    case 'ReportAssigned':
      return { ...state, assigned: event.data.account_id };
    case 'ReportUnassigned':
      return { ...state, assigned: null };
    case 'ReportResolved':
      return { ...state, resolved: true };
    case 'ReportReopened':
      return { ...state, resolved: false, reopened: true, reopened_after: event.data.after_id };
    case 'ReportUpdated':
      return {
        ...state,
        category: event.data.category ?? state.category,
        rule_ids: event.data.rule_ids ?? state.rule_ids,
      };
    case 'ReportNoteAdded':
      return state;
  }
}

/** @throws RookeryError `not_found` */
export function requireFiled(state: Report): FiledReport {
  if (state.state === 'none') throw notFound();
  return state;
}
