import { expect } from 'chai';
import { decideAssign, decideReopen, decideUnassign } from '../../commands/admin/reports/handle.ts';
import { decideUpdate } from '../../commands/admin/reports/update.ts';
import { decideFile, type ReportInput } from '../../commands/reports/file.ts';
import { decideResolve, report } from '../../commands/reports/index.ts';
import type { ReportEvent } from '../../src/events/reports.ts';
import { fold } from '../../src/kernel/decider.ts';
import { refusalCode } from '../support/refusal.ts';

const [ID, ALICE, BOB, MOD] = ['1', '2', '3', '4'];
const who = { id: ID, account_id: ALICE, target_account_id: BOB };
const input: ReportInput = {
  account_id: BOB,
  status_ids: [],
  collection_ids: [],
  rule_ids: [],
};
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
): ReportEvent => ({
  type,
  data: { id: ID, account_id },
});
const after = (...events: ReportEvent[]) => fold(report, events);
const facts = { statuses: [], rules: new Set(['7']) };

describe('The decisions about a report', () => {
  it('file it with the known facts about its statuses, once', () => {
    const statuses = [{ id: '5', version_id: '6', media_ids: ['8'] }];
    const command = { ...who, input: { ...input, comment: 'Hm', forward: true } };
    expect(decideFile(after(), command, { ...facts, statuses })).to.deep.equal([
      {
        type: 'ReportFiled',
        data: {
          ...{ ...who, statuses, collection_ids: [], comment: 'Hm', forward: true },
          ...{ category: 'other', rule_ids: [] },
        },
      },
    ]);
    expect(refusalCode(() => decideFile(after(filed), command, facts))).to.equal('conflict');
  });

  it('cite existing rules, for violations only', () => {
    const cite = (rule_ids: string[], category?: string) =>
      decideFile(after(), { ...who, input: { ...input, rule_ids, category } }, facts);
    expect(cite(['7'], 'spam')[0]?.data).to.deep.include({ category: 'violation', rule_ids: ['7'] });
    expect(refusalCode(() => cite(['7', '9']))).to.equal('invalid');
    expect(refusalCode(() => cite([], 'violation'))).to.equal('invalid');
  });

  it('change nothing of an unknown report', () => {
    for (const decide of [
      () => decideAssign(after(), MOD),
      () => decideUnassign(after(), MOD),
      () => decideResolve(after(), { account_id: MOD }),
      () => decideReopen(after(), MOD),
      () => decideUpdate(after(), { account_id: MOD, category: 'spam' }, new Set()),
    ]) {
      expect(refusalCode(decide)).to.equal('not_found');
    }
  });

  it('assign it to the staff member who asks, and unassign it', () => {
    expect(decideAssign(after(filed), MOD)).to.deep.equal([done('ReportAssigned')]);
    expect(decideAssign(after(filed, done('ReportAssigned')), MOD)).to.deep.equal([]);
    expect(decideAssign(after(filed, done('ReportAssigned')), ALICE)).to.deep.equal([
      done('ReportAssigned', ALICE),
    ]);
    expect(decideUnassign(after(filed), MOD)).to.deep.equal([]);
    const [unassigned] = decideUnassign(after(filed, done('ReportAssigned')), MOD);
    expect(unassigned?.type).to.equal('ReportUnassigned');
    expect(
      decideUnassign(after(filed, done('ReportAssigned'), unassigned as ReportEvent), MOD),
    ).to.deep.equal([]);
  });

  it('resolve it and reopen it', () => {
    expect(decideResolve(after(filed), null)).to.deep.equal([
      { type: 'ReportResolved', data: { id: ID, account_id: null } },
    ]);
    expect(decideResolve(after(filed, done('ReportResolved')), { account_id: MOD })).to.deep.equal([]);
    expect(decideReopen(after(filed), MOD)).to.deep.equal([]);
    const again = after(filed, done('ReportResolved'), done('ReportReopened'));
    expect(decideResolve(again, { account_id: MOD })).to.deep.equal([done('ReportResolved')]);
  });

  it('keep cited rules that are removed later, and drop them with the category', () => {
    const [violation] = decideUpdate(
      after(filed),
      { account_id: MOD, category: 'violation', rule_ids: ['7'] },
      new Set(['7']),
    );
    const state = after(filed, violation as ReportEvent);
    expect(decideUpdate(state, { account_id: MOD, category: 'violation' }, new Set())).to.deep.equal([]);
    expect(decideUpdate(state, { account_id: MOD, category: 'legal' }, new Set())[0]?.data).to.deep.equal({
      ...{ id: ID, account_id: MOD, category: 'legal', rule_ids: [] },
    });
    const other = { account_id: MOD, rule_ids: ['8'] };
    expect(refusalCode(() => decideUpdate(state, other, new Set(['7'])))).to.equal('invalid');
  });
});
