import type { ReportEvent } from '#events/reports.ts';
import type { ReplayReport } from '#mastodon/schemas/index.ts';
import { type Past, shownOf } from './world.ts';

/** Returns a report after an event of its stream; undefined before it is filed. */
export function evolveReport(
  before: ReplayReport | undefined,
  event: Past<ReportEvent>,
): ReplayReport | undefined {
  if (event.type === 'ReportFiled') {
    const { id, account_id, target_account_id, category, rule_ids, comment, statuses } = event.data;
    return {
      id,
      account_id,
      target_account_id,
      category,
      rule_ids,
      comment,
      state: 'open',
      notes: [],
      status_ids: statuses.map((each) => each.id),
      assigned_account_id: null,
      resolved_by_account_id: null,
      shown: shownOf(event),
    };
  }
  return before && { ...before, ...changeBy(before, event) };
}

function changeBy(
  { notes, category: was, rule_ids: cited }: ReplayReport,
  event: Exclude<Past<ReportEvent>, { type: 'ReportFiled' }>,
): Partial<ReplayReport> {
  switch (event.type) {
    case 'ReportAssigned':
      return { assigned_account_id: event.data.account_id };
    case 'ReportUnassigned':
      return { assigned_account_id: null };
    case 'ReportResolved':
      return { state: 'resolved', resolved_by_account_id: event.data.account_id };
    case 'ReportReopened':
      return { state: 'open', resolved_by_account_id: null };
    case 'ReportUpdated': {
      const { category = was, rule_ids = cited } = event.data;
      return { category, rule_ids };
    }
    case 'ReportNoteAdded': {
      const { note_id: id, account_id, content } = event.data;
      return { notes: [...notes, { id, account_id, content, shown: shownOf(event) }] };
    }
  }
}
