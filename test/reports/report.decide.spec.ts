import { expect } from 'chai';
import { decideAssign, decideReopen, decideUnassign } from '#commands/admin/reports/handle.ts';
import { decideUpdate } from '#commands/admin/reports/update.ts';
import { decideFile, type ReportInput } from '#commands/reports/file.ts';
import { decideResolve, report } from '#commands/reports/index.ts';
import type { ReportEvent } from '#events/reports.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const [ID, ALICE, BOB, MOD] = ['1', '2', '3', '4'];
const who = { id: ID, account_id: ALICE, target_account_id: BOB };
const input: ReportInput = { account_id: BOB, status_ids: [], collection_ids: [], rule_ids: [] };
const filed: ReportEvent = {
  type: 'ReportFiled',
  data: {
    ...who,
    statuses: [],
    collection_ids: [],
    comment: '',
    forward: false,
    category: 'other',
    rule_ids: [],
  },
};
const done = (
  type: 'ReportAssigned' | 'ReportResolved' | 'ReportReopened',
  account_id = MOD,
): ReportEvent => ({ type, data: { id: ID, account_id } });
const facts = { statuses: [], rules: new Set(['7']) };

describe('The decisions about a report', () => {
  it('file it with the known facts about its statuses, once', () => {
    const statuses = [{ id: '5', version_id: '6', media_ids: ['8'] }];
    const command = { ...who, input: { ...input, comment: 'Hm', forward: true } };
    given(report)
      .when(decideFile, command, { ...facts, statuses })
      .then([
        {
          type: 'ReportFiled',
          data: {
            ...who,
            statuses,
            collection_ids: [],
            comment: 'Hm',
            forward: true,
            category: 'other',
            rule_ids: [],
          },
        },
      ]);
    given(report, filed).when(decideFile, command, facts).thenRefuses('conflict');
  });

  it('cite existing rules, for violations only', () => {
    const cite = (rule_ids: string[], category?: string) =>
      given(report).when(decideFile, { ...who, input: { ...input, rule_ids, category } }, facts);
    expect(cite(['7'], 'spam').decided()[0]?.data).to.deep.include({
      category: 'violation',
      rule_ids: ['7'],
    });
    cite(['7', '9']).thenRefuses('invalid');
    cite([], 'violation').thenRefuses('invalid');
  });

  it('change nothing of an unknown report', () => {
    for (const decide of [
      () => given(report).when(decideAssign, MOD).decided(),
      () => given(report).when(decideUnassign, MOD).decided(),
      () => given(report).when(decideResolve, { account_id: MOD }).decided(),
      () => given(report).when(decideReopen, MOD, '9').decided(),
      () => given(report).when(decideUpdate, { account_id: MOD, category: 'spam' }, new Set()).decided(),
    ]) {
      expect(refusalCode(decide)).to.equal('not_found');
    }
  });

  it('assign it to the staff member who asks, and unassign it', () => {
    given(report, filed)
      .when(decideAssign, MOD)
      .then([done('ReportAssigned')]);
    given(report, filed, done('ReportAssigned')).when(decideAssign, MOD).then([]);
    given(report, filed, done('ReportAssigned'))
      .when(decideAssign, ALICE)
      .then([done('ReportAssigned', ALICE)]);
    given(report, filed).when(decideUnassign, MOD).then([]);
    const [unassigned] = given(report, filed, done('ReportAssigned')).when(decideUnassign, MOD).decided();
    expect(unassigned?.type).to.equal('ReportUnassigned');
    given(report, filed, done('ReportAssigned'), unassigned as ReportEvent)
      .when(decideUnassign, MOD)
      .then([]);
  });

  it('resolve it and reopen it', () => {
    given(report, filed)
      .when(decideResolve, null)
      .then([{ type: 'ReportResolved', data: { id: ID, account_id: null } }]);
    given(report, filed, done('ReportResolved')).when(decideResolve, { account_id: MOD }).then([]);
    given(report, filed).when(decideReopen, MOD, '9').then([]);
    const again = given(report, filed, done('ReportResolved'), done('ReportReopened'));
    again.when(decideResolve, { account_id: MOD }).then([done('ReportResolved')]);
  });

  it('keep cited rules that are removed later, and drop them with the category', () => {
    const [violation] = given(report, filed)
      .when(decideUpdate, { account_id: MOD, category: 'violation', rule_ids: ['7'] }, new Set(['7']))
      .decided();
    const state = given(report, filed, violation as ReportEvent);
    state.when(decideUpdate, { account_id: MOD, category: 'violation' }, new Set()).then([]);
    expect(
      state.when(decideUpdate, { account_id: MOD, category: 'legal' }, new Set()).decided()[0]?.data,
    ).to.deep.equal({ id: ID, account_id: MOD, category: 'legal', rule_ids: [] });
    const other = { account_id: MOD, rule_ids: ['8'] };
    state.when(decideUpdate, other, new Set(['7'])).thenRefuses('invalid');
  });
});
