import { AccountWarned } from '../../src/events/moderation.ts';
import type { RecordedOf } from '../../src/kernel/event.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { writeEntries, type Told } from './entries.ts';

type Strike = RecordedOf<typeof AccountWarned>;

/** The measures of the same command: they stand before their strike, in the account's stream or in those of its posts. */
const JOIN = statement(
  'audit_strikes_join',
  `update audit_entries e set strike_id = n.strike_id, report_id = n.report_id
   from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as n (account_id, command_id, strike_id, report_id)
   where e.account_id = n.account_id and e.command_id = n.command_id and e.target_type in ('account', 'status')
     and e.strike_id is null
   returning e.position, e.strike_id`,
);
const STATUSES = statement(
  'audit_statuses_insert',
  `insert into audit_statuses (status_id, position) select * from unnest($1::bigint[], $2::bigint[])
   on conflict do nothing`,
);

/**
 * A strike says why a measure was taken, so it is no line of its own but part of that measure's; a warning without any is a line.
 * Its text is personal, and read where it stands.
 */
export const strikes = (
  key: (data: Strike['data']) => string,
  about: (data: Strike['data']) => Pick<Told, 'target' | 'account_id'>,
): BoundHandler =>
  on(AccountWarned, {
    keys: ({ data }) => [key(data)],
    apply: async (events, db) => {
      const joined = await join(events, db);
      const alone = events.filter(({ data }) => !joined.has(data.id));
      await writeEntries(
        alone.map((event) => ({
          event,
          action: 'account.warned',
          told: { ...about(event.data), ...reportOf(event), strike_id: event.data.id, changes: [] },
        })),
        db,
      );
      const statuses = events.flatMap(({ data, position }) =>
        data.status_ids.map((id) => ({ id, position: joined.get(data.id) ?? String(position) })),
      );
      if (statuses.length === 0) return;
      await db.query(STATUSES, [statuses.map(({ id }) => id), statuses.map(({ position }) => position)]);
    },
  });

const reportOf = ({ data }: Strike): { report_id?: string } =>
  data.report_id === null ? {} : { report_id: data.report_id };

/** @returns the positions of the lines that strikes became part of, by the ids of the strikes */
async function join(events: readonly Strike[], db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ position: string; strike_id: string }>(JOIN, [
    events.map(({ data }) => data.account_id),
    events.map(({ metadata }) => metadata.command_id),
    events.map(({ data }) => data.id),
    events.map(({ data }) => data.report_id),
  ]);
  return new Map(rows.map(({ position, strike_id }) => [strike_id, position]));
}
