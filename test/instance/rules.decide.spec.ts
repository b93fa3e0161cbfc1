import { expect } from 'chai';
import { instance, type InstanceState } from '../../commands/instance/instance.ts';
import {
  decideAddRule,
  decideEditRule,
  decideMoveRule,
  decideRemoveRule,
  decideRemoveTranslation,
} from '../../commands/instance/rules.ts';
import { decidePublishTerms } from '../../commands/instance/terms.ts';
import type { InstanceEvent } from '../../src/events/instance.ts';
import { fold } from '../../src/kernel/decider.ts';
import { refusalCode } from '../support/refusal.ts';

const given = (...events: InstanceEvent[]): InstanceState => fold(instance, events);
const added = (rule_id: number, text = `Rule ${rule_id}`): InstanceEvent => ({
  type: 'RuleAdded',
  data: { rule_id, text, hint: '' },
});
const german = { language: 'de', text: 'Sei nett', hint: '' };

describe('deciding about rules', () => {
  it('numbers them, and gives no number twice', () => {
    expect(decideAddRule(given(), { text: ' Be kind ', hint: '' })).to.deep.equal([added(1, 'Be kind')]);
    const state = given(added(1), added(2), { type: 'RuleRemoved', data: { rule_id: 2 } });
    expect(decideAddRule(state, { text: 'Next', hint: '' })).to.deep.equal([added(3, 'Next')]);
  });

  it('refuses blank and long ones, and more than 50', () => {
    expect(refusalCode(() => decideAddRule(given(), { text: ' ', hint: '' }))).to.equal('invalid');
    expect(refusalCode(() => decideAddRule(given(), { text: 'x'.repeat(301), hint: '' }))).to.equal(
      'invalid',
    );
    expect(decideAddRule(given(), { text: '🦉'.repeat(300), hint: '' })).to.have.length(1);
    const full = given(...Array.from({ length: 50 }, (_, index) => added(index + 1)));
    expect(refusalCode(() => decideAddRule(full, { text: 'x', hint: '' }))).to.equal('invalid');
  });

  it('says only what changes', () => {
    const state = given(added(1, 'Be kind'));
    expect(decideEditRule(state, 1, { text: 'Be kind' })).to.deep.equal([]);
    expect(decideEditRule(state, 1, { hint: 'Always' })).to.deep.equal([
      { type: 'RuleEdited', data: { rule_id: 1, hint: 'Always' } },
    ]);
    expect(refusalCode(() => decideEditRule(state, 2, { text: 'x' }))).to.equal('not_found');
  });

  it('keeps translations, one for each language', () => {
    const edited: InstanceEvent = { type: 'RuleEdited', data: { rule_id: 1, translation: german } };
    expect(decideEditRule(given(added(1)), 1, { language: 'de', text: 'Sei nett' })).to.deep.equal([edited]);
    const state = given(added(1), edited);
    expect(decideEditRule(state, 1, { language: 'de', text: 'Sei nett' })).to.deep.equal([]);
    expect(refusalCode(() => decideEditRule(state, 1, { language: 'de', text: '' }))).to.equal('invalid');
    expect(refusalCode(() => decideEditRule(state, 1, { language: 'fr', hint: 'x' }))).to.equal('invalid');
    expect(refusalCode(() => decideEditRule(state, 1, { language: '??', text: 'x' }))).to.equal('invalid');
    const removed: InstanceEvent = { type: 'RuleTranslationRemoved', data: { rule_id: 1, language: 'de' } };
    expect(decideRemoveTranslation(state, 1, 'de')).to.deep.equal([removed]);
    expect(decideRemoveTranslation(given(added(1), edited, removed), 1, 'de')).to.deep.equal([]);
  });

  it('moves them to a place, and removes them', () => {
    const state = given(added(1), added(2), added(3));
    const moved: InstanceEvent = { type: 'RulesReordered', data: { rule_ids: [3, 1, 2] } };
    expect(decideMoveRule(state, 3, 1)).to.deep.equal([moved]);
    expect(decideMoveRule(given(added(1), added(2), added(3), moved), 3, 1)).to.deep.equal([]);
    for (const place of [0, 4, 1.5]) {
      expect(refusalCode(() => decideMoveRule(state, 3, place))).to.equal('invalid');
    }
    expect(decideRemoveRule(state, 2)).to.deep.equal([{ type: 'RuleRemoved', data: { rule_id: 2 } }]);
    expect(refusalCode(() => decideRemoveRule(state, 9))).to.equal('not_found');
  });
});

describe('deciding about terms of service', () => {
  const published = (effective_date: string): InstanceEvent => ({
    type: 'TermsOfServicePublished',
    data: { effective_date, content: '<p>x</p>' },
  });
  const publish = (effectiveDate: string, ...before: InstanceEvent[]) =>
    decidePublishTerms(given(...before), { content: '<p>x</p>', effectiveDate });

  it('takes each version later than the one before', () => {
    expect(publish('2026-12-01')).to.deep.equal([published('2026-12-01')]);
    expect(publish('2027-01-01', published('2026-12-01'))).to.deep.equal([published('2027-01-01')]);
    for (const day of ['2026-12-01', '2026-11-30']) {
      expect(refusalCode(() => publish(day, published('2026-12-01')))).to.equal('invalid');
    }
  });

  it('takes no day that there is not', () => {
    for (const day of ['0000-12-01', '2026-02-30', '2026-13-01', '1.12.2026', '', '2026-12-01T00:00:00Z']) {
      expect(
        refusalCode(() => publish(day)),
        day,
      ).to.equal('invalid');
    }
  });
});
