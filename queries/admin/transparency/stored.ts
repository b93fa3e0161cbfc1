import { idAt } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { AuditAction, AuditActor } from '#mastodon/audit-log.ts';
import {
  type AppealFact,
  decidedBy,
  type Facts,
  groundOf,
  meansOf,
  MEASURE_OF,
  type MeasureFact,
  type ReportFact,
  REVERSAL_OF,
  type ReversalFact,
} from './facts.ts';
import { momentsOf, type Range } from './periods.ts';

/** Milliseconds by which an id may be older than what it names: a repeated command has the time of its first try. */
const SKEW = 25 * 3_600_000;

const monthOf = (time: string): string => `to_char(${time} at time zone 'UTC', 'YYYY-MM')`;
const secondsOf = (from: string, until: string): string =>
  `floor(extract(epoch from ${until} - ${from}))::float8`;

const ACTS = statement<ActRow>(
  'transparency_acts',
  `select ${monthOf('e.created_at')} as month, e.action, e.actor_kind, r.category, e.report_id is not null as reported,
     e.strike_id is not null as struck, e.appeal_id is not null as appealed, count(*)::integer as count
   from audit_entries e left join reports r on r.id = e.report_id
   where e.action = any($1::text[]) and e.created_at >= $2 and e.created_at < $3
   group by 1, 2, 3, 4, 5, 6, 7`,
);
const REPORTS = statement<ReportFact>(
  'transparency_reports',
  `select ${monthOf('r.created_at')} as month, r.category,
     exists (select 1 from account_warnings w where w.report_id = r.id) as with_measure,
     ${secondsOf('r.created_at', 'r.action_taken_at')} as seconds, count(*)::integer as count
   from reports r where r.id >= $1 and r.id < $2 and r.created_at >= $3 and r.created_at < $4
   group by 1, 2, 3, 4`,
);
/** The actor of a strike is that of its first entry; later ones are about the appeal. */
const APPEALS = statement<AppealRow>(
  'transparency_appeals',
  `select ${monthOf('a.created_at')} as month, a.state,
     case when a.state in ('approved', 'rejected') then ${secondsOf('a.created_at', 'a.closed_at')} end as seconds,
     w.report_id is not null as reported, r.category, coalesce(e.actor_kind, 'automation') as actor_kind, e.actor_role,
     w.staff_account_id, count(*)::integer as count
   from appeals a join account_warnings w on w.id = a.strike_id left join reports r on r.id = w.report_id
     left join lateral (select actor_kind, actor_role from audit_entries
       where account_id = a.account_id and strike_id = a.strike_id order by position limit 1) e on true
   where a.id >= $1 and a.id < $2 and a.created_at >= $3 and a.created_at < $4
   group by 1, 2, 3, 4, 5, 6, 7, 8`,
);

interface ActRow {
  month: string;
  action: AuditAction;
  actor_kind: AuditActor;
  category: ReportFact['category'] | null;
  reported: boolean;
  struck: boolean;
  appealed: boolean;
  count: number;
}

interface AppealRow extends Pick<AppealFact, 'month' | 'state' | 'seconds' | 'count'> {
  reported: boolean;
  category: ReportFact['category'] | null;
  actor_kind: AuditActor;
  actor_role: string | null;
  staff_account_id: string | null;
}

/** Reads the facts of a range from the read models. */
export async function storedFacts(db: Db, range: Range): Promise<Facts> {
  const { start, end } = momentsOf(range);
  const times = [new Date(start).toISOString(), new Date(end).toISOString()];
  const ids = [idAt(Math.max(0, start - SKEW)), idAt(end + SKEW)];
  const [acts, reports, appeals] = await Promise.all([
    db.query(ACTS, [[...Object.keys(MEASURE_OF), ...Object.keys(REVERSAL_OF)], ...times]),
    db.query(REPORTS, [...ids, ...times]),
    db.query(APPEALS, [...ids, ...times]),
  ]);
  return {
    measures: acts.flatMap(measureIn),
    reversals: acts.flatMap(reversalIn),
    reports,
    appeals: appeals.map(appealIn),
  };
}

function measureIn({ month, action, actor_kind, category, reported, struck, count }: ActRow): MeasureFact[] {
  const kind = MEASURE_OF[action];
  if (!kind) return [];
  const ground = groundOf(reported, category);
  return [{ month, kind, ground, means: meansOf(actor_kind), reasoned: struck, count }];
}

function reversalIn({ month, action, actor_kind, appealed, count }: ActRow): ReversalFact[] {
  const kind = REVERSAL_OF[action];
  return kind ? [{ month, kind, means: meansOf(actor_kind), appealed, count }] : [];
}

const appealIn = ({ month, state, seconds, count, ...row }: AppealRow): AppealFact => ({
  month,
  state,
  seconds,
  count,
  ground: groundOf(row.reported, row.category),
  decided: decidedBy({ kind: row.actor_kind, id: row.staff_account_id, role: row.actor_role }),
});
