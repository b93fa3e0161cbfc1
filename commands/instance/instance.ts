import { DEFAULT_SETTINGS, type InstanceEvent, type InstanceSettings } from '#events/instance.ts';
import type { Decider } from '#kernel/decider.ts';

export interface Rule {
  text: string;
  hint: string;
  translations: Readonly<Record<string, { text: string; hint: string }>>;
}

/** Stream `instance`. */
export interface InstanceState {
  settings: InstanceSettings;
  /** In their order. */
  rules: ReadonlyMap<number, Rule>;
  /** The highest id of all rules so far. */
  lastRuleId: number;
  /** The day on which the newest terms of service take effect. */
  lastTerms: string | null;
}

export const instance: Decider<InstanceState, InstanceEvent> = {
  initialState: { settings: DEFAULT_SETTINGS, rules: new Map(), lastRuleId: 0, lastTerms: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'InstanceSettingsChanged':
        return { ...state, settings: { ...state.settings, ...event.data } as InstanceSettings };
      case 'TermsOfServicePublished':
        return { ...state, lastTerms: event.data.effective_date };
      case 'RuleAdded': {
        const { rule_id, text, hint } = event.data;
        const rules = new Map(state.rules).set(rule_id, { text, hint, translations: {} });
        return { ...state, rules, lastRuleId: rule_id };
      }
      case 'RuleEdited': {
        const { rule_id, translation, ...texts } = event.data;
        return withRule(state, rule_id, (rule) => ({
          text: texts.text ?? rule.text,
          hint: texts.hint ?? rule.hint,
          translations: translation
            ? {
                ...rule.translations,
                [translation.language]: { text: translation.text, hint: translation.hint },
              }
            : rule.translations,
        }));
      }
      case 'RuleTranslationRemoved':
        return withRule(state, event.data.rule_id, (rule) => {
          const { [event.data.language]: _removed, ...translations } = rule.translations;
          return { ...rule, translations };
        });
      case 'RuleRemoved': {
        const rules = new Map(state.rules);
        rules.delete(event.data.rule_id);
        return { ...state, rules };
      }
      case 'RulesReordered': {
        const ordered = event.data.rule_ids.flatMap((id) => {
          const rule = state.rules.get(id);
          return rule ? [[id, rule] as const] : [];
        });
        return { ...state, rules: new Map(ordered) };
      }
    }
  },
};

function withRule(state: InstanceState, id: number, change: (rule: Rule) => Rule): InstanceState {
  const rule = state.rules.get(id);
  return rule ? { ...state, rules: new Map(state.rules).set(id, change(rule)) } : state;
}
