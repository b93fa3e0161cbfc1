import { expect } from 'chai';
import type { TransparencyPeriod } from '#mastodon/schemas/index.ts';
import { transparencyReport } from '#queries/admin/transparency/index.ts';

type AppealFact = Parameters<typeof transparencyReport>[0]['appeals'][number];

const HOUR = 3_600;

const appeals = (count: number, more: Partial<AppealFact> = {}): AppealFact => ({
  month: '2026-11',
  state: 'rejected',
  seconds: HOUR,
  ground: 'spam',
  decided: { group: 'operator', role: null, by: 'operator' },
  count,
  ...more,
});
const byPeople = (role: string, first: number, count: number, more: Partial<AppealFact> = {}): AppealFact[] =>
  Array.from({ length: count }, (_, index) =>
    appeals(1, { decided: { group: 'role', role, by: String(first + index) }, ...more }),
  );
const counted = (...facts: AppealFact[]): TransparencyPeriod['appeals'] => {
  const range = { from: '2026-11', until: '2026-11' };
  const report = transparencyReport(
    { measures: [], reversals: [], reports: [], appeals: facts },
    'month',
    range,
  );
  return (report.periods[0] as TransparencyPeriod).appeals;
};
const grounds = (...facts: AppealFact[]): [string, number][] =>
  counted(...facts).by_ground.map(({ ground, filed }) => [ground, filed]);
const groups = (...facts: AppealFact[]): [string, string | null, number][] =>
  counted(...facts).by_group.map(({ group, role, filed }) => [group, role, filed]);

describe('The appeals of a transparency report', () => {
  it('counts kept and overturned decisions, with the median time to the answer', () => {
    expect(
      counted(
        appeals(4, { seconds: 2 * HOUR }),
        appeals(3, { state: 'approved', seconds: 5 * HOUR }),
        appeals(1, { state: 'pending', seconds: null }),
        appeals(1, { state: 'withdrawn', seconds: null }),
      ).by_ground,
    ).to.deep.equal([{ ground: 'spam', filed: 9, kept: 4, overturned: 3, median_seconds: 2 * HOUR }]);
  });

  it('shows a ground with five appeals alone, and merges grounds with fewer', () => {
    const five = appeals(5, { ground: 'legal' });
    expect(grounds(five, appeals(3), appeals(2, { ground: 'other' }))).to.deep.equal([
      ['legal', 5],
      ['merged', 5],
    ]);
    expect(grounds(appeals(4))).to.deep.equal([['merged', 4]]);
    expect(grounds()).to.deep.equal([]);
  });

  it('merges the smallest ground that is large enough when the total would give away the others', () => {
    const large = [appeals(9, { ground: 'legal' }), appeals(6, { ground: 'own_initiative' })];
    expect(grounds(...large)).to.deep.equal([
      ['legal', 9],
      ['own_initiative', 6],
    ]);
    expect(grounds(...large, appeals(1))).to.deep.equal([
      ['legal', 9],
      ['merged', 7],
    ]);
  });

  it('shows a role only if five people with it made appealed decisions', () => {
    const moderators = byPeople('Moderator', 1, 5);
    const again = byPeople('Moderator', 1, 5, { state: 'approved' });
    expect(groups(...moderators, ...again)).to.deep.equal([['role', 'Moderator', 10]]);
    expect(groups(...byPeople('Moderator', 1, 4), ...byPeople('Moderator', 1, 4))).to.deep.equal([
      ['merged', null, 8],
    ]);
    expect(groups(...moderators, ...byPeople('Admin', 11, 5))).to.deep.equal([
      ['role', 'Admin', 5],
      ['role', 'Moderator', 5],
    ]);
  });

  it('counts a person once who decided in several roles, and the operator as one person', () => {
    const moderators = byPeople('Moderator', 1, 6);
    const few = [...byPeople('Admin', 11, 3), ...byPeople('Owner', 11, 3), appeals(20)];
    expect(groups(...moderators, ...few)).to.deep.equal([['merged', null, 32]]);
    expect(groups(...moderators, ...few, ...byPeople('Owner', 20, 1))).to.deep.equal([
      ['role', 'Moderator', 6],
      ['merged', null, 27],
    ]);
  });

  it('counts each decision of an automation, which is no person', () => {
    const automatic = { decided: { group: 'automation', role: null, by: null } } as const;
    expect(groups(appeals(5, automatic))).to.deep.equal([['automation', null, 5]]);
    expect(groups(appeals(4, automatic))).to.deep.equal([['merged', null, 4]]);
  });
});
