import type { InstanceEvent } from '#events/instance.ts';
import { type Past, type RuleFacts, withValue, type World } from './world.ts';

type Instance = Pick<World, 'rules' | 'ruleOrder' | 'settings'>;

/** Returns the rules and settings of the server after an event of its stream. */
export function evolveInstance(before: Instance, event: Past<InstanceEvent>): Partial<Instance> {
  switch (event.type) {
    case 'InstanceSettingsChanged':
      return { settings: { ...before.settings, ...event.data } };
    case 'RulesReordered':
      return { ruleOrder: event.data.rule_ids.map(String) };
    case 'RuleRemoved':
      return { ruleOrder: before.ruleOrder.filter((id) => id !== String(event.data.rule_id)) };
    case 'RuleAdded': {
      const { rule_id, text, hint } = event.data;
      const id = String(rule_id);
      return {
        rules: withValue(before.rules, id, { id, text, hint, translations: [] }),
        ruleOrder: [...before.ruleOrder, id],
      };
    }
    case 'RuleEdited': {
      const { rule_id, text, hint, translation } = event.data;
      return changed(before, String(rule_id), (rule) => ({
        ...rule,
        text: text ?? rule.text,
        hint: hint ?? rule.hint,
        ...(translation && { translations: translated(rule, translation) }),
      }));
    }
    case 'RuleTranslationRemoved': {
      const { rule_id, language } = event.data;
      return changed(before, String(rule_id), (rule) => ({ ...rule, translations: without(rule, language) }));
    }
    case 'TermsOfServicePublished':
      return {};
  }
}

function changed({ rules }: Instance, id: string, change: (rule: RuleFacts) => RuleFacts): Partial<Instance> {
  const rule = rules.get(id);
  return rule ? { rules: withValue(rules, id, change(rule)) } : {};
}

const without = ({ translations }: RuleFacts, language: string): string[] =>
  translations.filter((each) => !each.startsWith(`${language}: `));

const translated = (
  rule: RuleFacts,
  { language, text, hint }: { language: string; text: string; hint: string },
): string[] =>
  [...without(rule, language), `${language}: ${hint === '' ? text : `${text} (${hint})`}`].sort();
