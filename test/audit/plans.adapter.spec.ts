import { expect } from 'chai';
import { LARGEST_ID } from '#kernel/ids.ts';
import { audit } from '#projections/audit/index.ts';
import type { AuditFilter } from '#queries/admin/audit/index.ts';
import { AUDIT_PAGE, auditValues } from '#queries/admin/audit/page.ts';
import type { Database } from '#storage/postgres/db.ts';
import { databaseToFill, rowsRead } from '../support/plans.ts';

const LINES = 1_000_000;
/**
 * The most rows of tables and indexes read for a page of 40: about the entries of two days with their
 * details.
 */
const BOUND = 25_000;
/** Two frequent conditions that never meet: all entries of the rarer one are read, as many as an app has. */
const MORE: Record<string, number> = { 'automations and an app': 100_000 };
const LIMIT = 40;

/** Pseudo-random numbers for each n, independent of each other. */
const dice = (salt: number, sides: number): string => `(hashint4(n # ${salt}) & 1073741823) % ${sides}`;

/**
 * A year of a large server: two thirds of the entries are automatic, and eleven moderators share most of the
 * rest. Another moderator and the operator are rare, and one account is the target of many entries.
 */
const FILL = `
  insert into audit_entries (position, event_id, created_at, action, actor_kind, actor_id, actor_role, actor_name,
    application_id, target_type, target_id, account_id, domain, report_id, changes, command_id, correlation_id)
  select 10 * n, 'event' || n, timestamptz '2026-01-01' + n * interval '30 seconds',
    (array['account.silenced', 'account.warned', 'report.resolved', 'domain_block.created', 'tag.review_requested',
      'account.suspended', 'report.assigned'])[1 + ${dice(1, 7)}],
    kind, case when kind = 'user' then case when ${dice(2, 2_000)} = 0 then 99 else ${dice(3, 11)} + 1 end end,
    case when kind = 'user' then case when ${dice(4, 2)} = 0 then 'Moderator' else 'Admin' end end,
    case when kind = 'automation' then 'rankings' end,
    case when kind = 'user' then ${dice(5, 4)} + 1 end, 'account', n,
    case when ${dice(6, 97)} = 0 then 7 else ${dice(7, 200_000)} + 1000 end,
    case when ${dice(8, 29)} = 0 then 'far' || ${dice(9, 500)} || '.example' end,
    case when ${dice(10, 7)} = 0 then n end, '[]', 'c' || n, 'r' || n
  from generate_series(1, ${LINES}) n, lateral (select case ${dice(11, 3_000)} when 0 then 'operator' else
    case when ${dice(12, 3)} = 0 then 'user' else 'automation' end end as kind) k`;
const STATUSES = `insert into audit_statuses select ${dice(13, 300_000)}, 10 * n from generate_series(1, ${LINES}) n
  where ${dice(14, 5)} = 0 on conflict do nothing`;

/** All filters, from conditions that match everything to conditions that match nothing. */
const ONE: Record<string, Partial<AuditFilter>> = {
  everything: {},
  'a busy moderator': { actor: '3' },
  'a rare moderator': { actor: '99' },
  nobody: { actor: '12345' },
  'a role': { roles: ['Moderator'] },
  'no role': { roles: ['Owner'] },
  automations: { actorKinds: ['automation'] },
  'the operator': { actorKinds: ['operator'] },
  'an app': { application: '2' },
  'somebody much talked about': { target: '7' },
  somebody: { target: '4711' },
  'a post': { status: '250' },
  'a report': { report: '16' },
  'a domain': { domain: 'far7.example' },
  'another domain': { domain: 'nowhere.example' },
  'a frequent action': { actions: ['account.silenced'] },
  'some actions': { actions: ['account.silenced', 'account.suspended', 'report.resolved'] },
  'no such action': { actions: ['terms_of_service.published'] },
  'all but a frequent action': { without: ['account.silenced'] },
  'a command': { correlation: 'r4711' },
  'a day': { from: '2026-05-01T00:00:00.000Z', until: '2026-05-02T00:00:00.000Z' },
  'since spring': { from: '2026-03-20T00:00:00.000Z' },
  'until summer': { until: '2026-06-21T00:00:00.000Z' },
  'since lately': { from: '2026-12-12T00:00:00.000Z' },
  'before all': { until: '2025-12-31T00:00:00.000Z' },
};

describe('The statement of the audit log with a million entries', function () {
  this.timeout(240_000);
  let db: Database;

  before(async () => {
    db = await databaseToFill();
    const indexes = await db.query<{ name: string }>(
      `select indexname as name from pg_indexes where schemaname = 'readmodels' and tablename in ('audit_entries', 'audit_statuses')
       and indexname not like '%_pkey'`,
    );
    for (const { name } of indexes) await db.query(`drop index readmodels.${name}`);
    await db.query(FILL);
    await db.query(STATUSES);
    for (const index of [...(audit.handlerIndexes ?? []), ...audit.indexes]) await db.query(index);
    await db.query('vacuum (analyze) audit_entries, audit_statuses');
  });
  after(() => db.close());

  const filterOf = (...parts: Partial<AuditFilter>[]): AuditFilter =>
    Object.assign({ roles: [], actions: [], without: [], actorKinds: [] }, ...parts) as AuditFilter;

  const touched = (filter: AuditFilter, order: 'ascending' | 'descending', before: string): Promise<number> =>
    rowsRead(db, AUDIT_PAGE[order].text, ['1', before, '0', LIMIT, ...auditValues(filter)]);

  const tooMany: string[] = [];
  const hold = async (name: string, filter: AuditFilter): Promise<void> => {
    for (const [order, before] of [
      ['descending', LARGEST_ID],
      ['ascending', LARGEST_ID],
      ['descending', String(5 * LINES)],
    ] as const) {
      const rows = await touched(filter, order, before);
      if (rows > (MORE[name] ?? BOUND)) tooMany.push(`${name}, ${order} before ${before}: ${rows} rows`);
    }
  };
  afterEach(() => (tooMany.length = 0));

  it('reads few rows for each single filter, in both orders and at each place', async () => {
    for (const [name, filter] of Object.entries(ONE)) await hold(name, filterOf(filter));
    expect(tooMany).to.deep.equal([]);
  });

  it('reads few rows for each pair of filters', async () => {
    const all = Object.entries(ONE);
    for (const [index, [name, filter]] of all.entries()) {
      for (const [other, another] of all.slice(index + 1))
        await hold(`${name} and ${other}`, filterOf(filter, another));
    }
    expect(tooMany).to.deep.equal([]);
  });
});
