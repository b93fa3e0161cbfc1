import { expect } from 'chai';
import { instance } from '#commands/instance/instance.ts';
import {
  decideAddRule,
  decideEditRule,
  decideMoveRule,
  decideRemoveRule,
  decideRemoveTranslation,
} from '#commands/instance/rules.ts';
import { decidePublishTerms } from '#commands/instance/terms.ts';
import type { InstanceEvent } from '#events/instance.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';
const added = (rule_id: number, text = `Rule ${rule_id}`): InstanceEvent => ({
  type: 'RuleAdded',
  data: { rule_id, text, hint: '' },
});
const german = { language: 'de', text: 'Sei nett', hint: '' };

describe('deciding about rules', () => {
  it('numbers them, and gives no number twice', () => {
    given(instance)
      .when(decideAddRule, { text: ' Be kind ', hint: '' })
      .then([added(1, 'Be kind')]);
    const state = given(instance, added(1), added(2), { type: 'RuleRemoved', data: { rule_id: 2 } });
    state.when(decideAddRule, { text: 'Next', hint: '' }).then([added(3, 'Next')]);
  });

  it('refuses blank and long ones, and more than 50', () => {
    given(instance).when(decideAddRule, { text: ' ', hint: '' }).thenRefuses('invalid');
    given(instance)
      .when(decideAddRule, { text: 'x'.repeat(301), hint: '' })
      .thenRefuses('invalid');
    expect(
      given(instance)
        .when(decideAddRule, { text: '🦉'.repeat(300), hint: '' })
        .decided(),
    ).to.have.length(1);
    const full = given(instance, ...Array.from({ length: 50 }, (_, index) => added(index + 1)));
    full.when(decideAddRule, { text: 'x', hint: '' }).thenRefuses('invalid');
  });

  it('says only what changes', () => {
    const state = given(instance, added(1, 'Be kind'));
    state.when(decideEditRule, 1, { text: 'Be kind' }).then([]);
    state
      .when(decideEditRule, 1, { hint: 'Always' })
      .then([{ type: 'RuleEdited', data: { rule_id: 1, hint: 'Always' } }]);
    state.when(decideEditRule, 2, { text: 'x' }).thenRefuses('not_found');
  });

  it('keeps translations, one for each language', () => {
    const edited: InstanceEvent = { type: 'RuleEdited', data: { rule_id: 1, translation: german } };
    given(instance, added(1)).when(decideEditRule, 1, { language: 'de', text: 'Sei nett' }).then([edited]);
    const state = given(instance, added(1), edited);
    state.when(decideEditRule, 1, { language: 'de', text: 'Sei nett' }).then([]);
    state.when(decideEditRule, 1, { language: 'de', text: '' }).thenRefuses('invalid');
    state.when(decideEditRule, 1, { language: 'fr', hint: 'x' }).thenRefuses('invalid');
    state.when(decideEditRule, 1, { language: '??', text: 'x' }).thenRefuses('invalid');
    const removed: InstanceEvent = { type: 'RuleTranslationRemoved', data: { rule_id: 1, language: 'de' } };
    state.when(decideRemoveTranslation, 1, 'de').then([removed]);
    given(instance, added(1), edited, removed).when(decideRemoveTranslation, 1, 'de').then([]);
  });

  it('moves them to a place, and removes them', () => {
    const state = given(instance, added(1), added(2), added(3));
    const moved: InstanceEvent = { type: 'RulesReordered', data: { rule_ids: [3, 1, 2] } };
    state.when(decideMoveRule, 3, 1).then([moved]);
    given(instance, added(1), added(2), added(3), moved).when(decideMoveRule, 3, 1).then([]);
    for (const place of [0, 4, 1.5]) {
      state.when(decideMoveRule, 3, place).thenRefuses('invalid');
    }
    state.when(decideRemoveRule, 2).then([{ type: 'RuleRemoved', data: { rule_id: 2 } }]);
    state.when(decideRemoveRule, 9).thenRefuses('not_found');
  });
});

describe('deciding about terms of service', () => {
  const published = (effective_date: string): InstanceEvent => ({
    type: 'TermsOfServicePublished',
    data: { effective_date, content: '<p>x</p>' },
  });
  const publish = (effectiveDate: string, ...before: InstanceEvent[]) =>
    given(instance, ...before).when(decidePublishTerms, { content: '<p>x</p>', effectiveDate });

  it('takes each version later than the one before', () => {
    publish('2026-12-01').then([published('2026-12-01')]);
    publish('2027-01-01', published('2026-12-01')).then([published('2027-01-01')]);
    for (const day of ['2026-12-01', '2026-11-30']) {
      publish(day, published('2026-12-01')).thenRefuses('invalid');
    }
  });

  it('takes no day that there is not', () => {
    for (const day of ['0000-12-01', '2026-02-30', '2026-13-01', '1.12.2026', '', '2026-12-01T00:00:00Z']) {
      expect(
        refusalCode(() => publish(day).decided()),
        day,
      ).to.equal('invalid');
    }
  });
});
