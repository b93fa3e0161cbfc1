import { LARGEST_ID } from '#kernel/ids.ts';
import { type KeysetStatement, selectPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { reversedHost } from '#mastodon/host-name.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { AUDIT_COLUMNS, AUDIT_JOINS, auditEntry, type AuditRow } from './entries.ts';
import type { AuditFilter } from './filter.ts';

/**
 * Selects the positions of entries about a domain, or about an account of it. As an array they are looked up
 * by index, however many conditions there are.
 */
const OF_DOMAIN = `
  select d.position from audit_entries d where d.domain = $10::text
  union all
  select d.position from accounts x join audit_entries d on d.account_id = x.id
  where x.domain is not null and ${reversedHost('x.domain')} = reverse($10::text)`;
const OF_STATUS = 'select s.position from audit_statuses s where s.status_id = $9::bigint';

/**
 * The time by which positions and times may disagree. Positions follow times, except that a command that is
 * repeated with its Idempotency-Key has the time of its first try, at most a day earlier. An entry before a
 * position that is older than the range by more than this is older than the range itself. Postgres cannot
 * know that, so each end of a range becomes a position by one index lookup.
 */
const SKEW = `interval '25 hours'`;
const BEFORE_ALL = `coalesce((select d.position from audit_entries d where d.created_at < $13::timestamptz - ${SKEW}
  order by d.created_at desc limit 1), 0)`;
const BEHIND_ALL = `coalesce((select d.position from audit_entries d where d.created_at >= $14::timestamptz + ${SKEW}
  order by d.created_at limit 1), ${LARGEST_ID})`;

/** Selects entries that match all conditions; null is no condition. All viewers ($1) see all entries. */
const page = (order: 'asc' | 'desc'): string => `
  select ${AUDIT_COLUMNS} from audit_entries e ${AUDIT_JOINS}
  where e.position < $2 and e.position > $3 and $1::bigint is distinct from 0
    and ($5::bigint is null or e.actor_id = $5)
    and ($6::text[] is null or e.actor_role = any($6))
    and ($7::bigint is null or e.application_id = $7)
    and ($8::bigint is null or e.account_id = $8)
    and ($9::bigint is null or e.position = any(array(${OF_STATUS})))
    and ($10::text is null or e.position = any(array(${OF_DOMAIN})))
    and ($11::bigint is null or e.report_id = $11)
    and ($12::text[] is null or e.action = any($12))
    and ($13::timestamptz is null or e.created_at >= $13 and e.position > ${BEFORE_ALL})
    and ($14::timestamptz is null or e.created_at < $14 and e.position < ${BEHIND_ALL})
    and ($15::text[] is null or e.actor_kind = any($15))
    and ($16::text is null or e.correlation_id = $16)
    and ($17::text[] is null or e.action <> all($17))
  order by e.position ${order} limit $4`;

/** Has no name, so that Postgres plans it for each mix of conditions, which decides about the best index. */
export const AUDIT_PAGE: KeysetStatement<AuditRow> = {
  descending: statement('', page('desc')),
  ascending: statement('', page('asc')),
};

/** An id of no account: Postgres reads nothing to find it. */
const NOBODY = '0';

/** The wanted actions without those that are left out: nothing is read to find that they are the same. */
const actionsOf = ({ actions, without }: AuditFilter): readonly string[] =>
  actions.filter((action) => !without.includes(action));

/**
 * Only users have roles, and neither the operator nor automations have accounts. Without this check, Postgres
 * would read all entries to find that out.
 */
const isContradiction = (filter: AuditFilter): boolean => {
  const { actor, roles, actions, actorKinds: kinds } = filter;
  if (actions.length > 0 && actionsOf(filter).length === 0) return true;
  return (
    kinds.length > 0 &&
    ((roles.length > 0 && !kinds.includes('user')) ||
      (actor !== undefined && !kinds.includes('user') && !kinds.includes('remote')))
  );
};

/** Returns the values of `AUDIT_PAGE` that follow those of the page. */
export const auditValues = (filter: AuditFilter): unknown[] => [
  isContradiction(filter) ? NOBODY : (filter.actor ?? null),
  orNull(filter.roles),
  filter.application ?? null,
  filter.target ?? null,
  filter.status ?? null,
  filter.domain ?? null,
  filter.report ?? null,
  orNull(actionsOf(filter)),
  filter.from ?? null,
  filter.until ?? null,
  orNull(filter.actorKinds),
  filter.correlation ?? null,
  filter.actions.length > 0 ? null : orNull(filter.without),
];

const orNull = <Item>(list: readonly Item[]): readonly Item[] | null => (list.length === 0 ? null : list);

const BATCH = 500;

/**
 * Yields all matching entries after a position (exclusive), oldest first, in batches, so that few are in
 * memory. Includes entries that arrive during the iteration. The caller waits for the read models.
 */
export async function* auditEntries(db: Db, filter: AuditFilter, after: string): AsyncGenerator<AuditEntry> {
  const reader = { db, viewer: undefined };
  for (let place = after; ;) {
    const request = { before: LARGEST_ID, after: place, limit: BATCH, ascending: true };
    const rows = await selectPage(reader, AUDIT_PAGE, request, auditValues(filter));
    for (const row of rows) yield auditEntry(row);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    place = last.position;
  }
}
