import { idAt } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { AuditAction, AuditActor } from '#mastodon/audit-log.ts';
import {
  type AppealFact,
  type Facts,
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
const APPEALS = statement<AppealFact>(
  'transparency_appeals',
  `select ${monthOf('a.created_at')} as month, a.state,
     case when a.state in ('approved', 'rejected') then ${secondsOf('a.created_at', 'a.closed_at')} end as seconds,
     count(*)::integer as count
   from appeals a where a.id >= $1 and a.id < $2 and a.created_at >= $3 and a.created_at < $4
   group by 1, 2, 3`,
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
  return { measures: acts.flatMap(measureIn), reversals: acts.flatMap(reversalIn), reports, appeals };
}

function measureIn({ month, action, actor_kind, category, reported, struck, count }: ActRow): MeasureFact[] {
  const kind = MEASURE_OF[action];
  if (!kind) return [];
  const ground = reported ? (category ?? 'other') : 'own_initiative';
  return [{ month, kind, ground, means: meansOf(actor_kind), reasoned: struck, count }];
}

function reversalIn({ month, action, actor_kind, appealed, count }: ActRow): ReversalFact[] {
  const kind = REVERSAL_OF[action];
  return kind ? [{ month, kind, means: meansOf(actor_kind), appealed, count }] : [];
}
