import { ReportFiled } from '#events/reports.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { arrive } from './arrivals.ts';

const STAFF_NOW = statement<{ account_id: string }>(
  'notification_staff',
  'select account_id from notification_people where staff',
);

/**
 * New reports notify the staff of that time, because every role may manage them. The notification has the
 * report's id.
 */
export const reportHandlers: readonly BoundHandler[] = [
  // A barrier: the staff and their policies come from events that do not name the report. Reports are rare.
  on(ReportFiled, {
    apply: async (events, db) => {
      const staff = await db.query(STAFF_NOW);
      await arrive(
        events.flatMap(({ data, metadata, position }) =>
          staff.map(({ account_id }) => ({
            account_id,
            id: data.id,
            type: 'admin.report' as const,
            from_account_id: data.account_id,
            status_id: null,
            created_at: metadata.time,
            private_thread: null,
            position,
          })),
        ),
        db,
      );
    },
  }),
];
