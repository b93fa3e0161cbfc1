import { expect } from 'chai';
import { actName, actText, TOPICS } from '#interfaces/web/admin/audit/acts.ts';
import { addressOf, askedBy, conditionsIn, isFuture } from '#interfaces/web/admin/audit/filter.ts';
import { commandsIn } from '#interfaces/web/admin/audit/line.ts';
import { medianText, periodLabel, periodText } from '#interfaces/web/admin/transparency/words.ts';
import { durationText, sizeText, tenthsText } from '#kernel/quantities.ts';
import { AUDIT_ACTIONS, type AuditAction } from '#mastodon/audit-log.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';

describe('The words of the audit log', () => {
  it('name every action once, and say it with at most one place for the target', () => {
    const named = TOPICS.flatMap(({ acts }) => Object.keys(acts));
    const remedy = 'Give each action its words in src/interfaces/web/admin/audit/acts.ts';
    expect(named, remedy).to.have.members([...AUDIT_ACTIONS]);
    for (const action of AUDIT_ACTIONS) {
      expect(actName(action), action).to.match(/^[A-Z]/);
      expect(actText(action), action).to.have.length.within(1, 2);
    }
  });

  it('say durations, sizes and periods as people do', () => {
    expect([0, 0.0125, 3.44, 59, 5_400, 11_900, 216_000].map(durationText)).to.deep.equal([
      '0 s',
      '13 ms',
      '3.4 s',
      '59 s',
      '90 min',
      '3.3 h',
      '2.5 days',
    ]);
    expect([null, 216_000].map(medianText)).to.deep.equal(['–', '2.5 days']);
    expect([0, 999, 1_000, 5_000_000_000].map(sizeText)).to.deep.equal(['0 B', '999 B', '1.0 kB', '5.0 GB']);
    expect([12_345, 1_200.46].map(tenthsText)).to.deep.equal(['12,345', '1,200.5']);
    expect(['2026-11', '2026-Q4', '2026'].map(periodText)).to.deep.equal([
      'November 2026',
      '4th quarter of 2026',
      '2026',
    ]);
    expect(['2026-11', '2026-Q4', '2026'].map(periodLabel)).to.deep.equal(['Nov 26', 'Q4 26', '2026']);
  });
});

describe('The entries of a command', () => {
  const entry = (id: string, action: AuditAction): AuditEntry =>
    ({ id, action, correlation_id: 'one', targets: [] }) as unknown as AuditEntry;
  const actionsOf = (...entries: AuditEntry[]) =>
    commandsIn(entries).map(({ entries: all }) => all.map(({ id }) => id));

  it('are headed by the gravest of them, in whatever order they were made', () => {
    const [resolved, suspended] = [entry('1', 'report.resolved'), entry('2', 'account.suspended')];
    expect(actionsOf(suspended, resolved)).to.deep.equal([['2', '1']]);
    expect(actionsOf(resolved, suspended)).to.deep.equal([['2', '1']]);
  });

  it('keep their order when they are equally grave', () => {
    expect(actionsOf(entry('2', 'rule.created'), entry('1', 'rule.deleted'))).to.deep.equal([['1', '2']]);
  });
});

describe('The conditions of the audit page', () => {
  const conditions = (query: string) => conditionsIn({ query: new URLSearchParams(query) });

  it('have an address that means the same again', () => {
    const given = conditions(
      'actor= @mod &role=Owner&role[]=Admin&action[]=rule.created&reads=1&limit=5&nonsense=1',
    );
    const address = addressOf('/admin/audit', given);
    expect(address).to.equal(
      '/admin/audit?actor=%40mod&action%5B%5D=rule.created&role%5B%5D=Owner&role%5B%5D=Admin&reads=1',
    );
    expect(conditions(address.split('?')[1] ?? '')).to.deep.equal(given);
    expect(addressOf('/admin/audit', conditions(''))).to.equal('/admin/audit');
  });

  it('leave out who read the log, unless that is asked for', () => {
    expect(askedBy(conditions('actor=mod'))).to.deep.equal({
      actor: 'mod',
      exclude_action: ['audit_log.viewed'],
    });
    for (const query of ['reads=1', 'action[]=audit_log.viewed', 'correlation_id=x'])
      expect(askedBy(conditions(query)), query).not.to.have.property('exclude_action');
  });

  it('know a range in the future', () => {
    const now = '2026-11-28T12:00:00.000Z';
    const future = ['2026-11-29', '2026-11-28T12:00:01Z', '2026-11-28', 'soon', ''].map((from) =>
      isFuture(conditions(`from=${from}`), now),
    );
    expect(future).to.deep.equal([true, true, false, false, false]);
  });
});
