import type { ClientApp } from '#events/client-apps.ts';
import {
  DEFAULT_SETTINGS,
  type InstanceSettings,
  InstanceSettingsChanged,
  type InstanceText,
  TermsOfServicePublished,
} from '#events/instance.ts';
import {
  RuleAdded,
  RuleEdited,
  RuleRemoved,
  RulesReordered,
  RuleTranslationRemoved,
} from '#events/instance-rules.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import { type Change, change, type Fields, losses, pick } from './changes.ts';
import type { AuditDetails } from './entries.ts';
import { altered, audited } from './rule.ts';

/** Returns the fields of settings: pictures by their keys, pages by their text, apps by a line each. */
const settingFields = (settings: Partial<InstanceSettings>): Fields => {
  const { extended_description, privacy_policy, thumbnail, icon, apps, ...plain } = settings;
  return pick(
    {
      ...plain,
      extended_description: contentOf(extended_description),
      privacy_policy: contentOf(privacy_policy),
      thumbnail: thumbnail === null ? null : thumbnail?.['@1x'],
      icon: icon?.map(({ key }) => key),
      apps: apps === null ? null : apps?.map(appLine).join('\n'),
    },
    Object.keys(settings) as (keyof InstanceSettings)[],
  );
};
const appLine = ({ platform, name, address, website, description }: ClientApp): string =>
  `${platform}: ${name}, ${address === undefined ? '' : `${address}, `}${website}, ${description}`;
const contentOf = (text: InstanceText | null | undefined): string | null | undefined =>
  text === null ? null : text?.content;

const DEFAULTS = settingFields(DEFAULT_SETTINGS);

interface OfRule {
  rule_id: number;
}

/**
 * All rules are one thing, because they have an order. The fields of a rule are `1 text`, `1 hint`, `1 de
 * text`, besides the common `order`.
 */
const RULES = 'rules';
const rulesKey = (): string => RULES;
const aboutRule = ({ rule_id }: OfRule): Pick<AuditDetails, 'target'> => ({
  target: { type: 'rule', id: String(rule_id), name: null },
});
const orderOf = (before: Fields | null): number[] => (before?.['order'] ?? []) as number[];

/** Returns the changes of one rule, or one translation, without the leading number. */
const named = (changes: readonly Change[]): Change[] =>
  changes.map(({ field, ...rest }) => ({ ...rest, field: field.replace(/^[0-9]+ /, '') }));

const numbered = (prefix: string, texts: Fields): Fields =>
  Object.fromEntries(Object.entries(texts).map(([field, value]) => [`${prefix} ${field}`, value]));

/** Removes the fields with this prefix. */
function without(before: Fields | null, prefix: string): Pick<AuditDetails, 'changes'> & { state: Fields } {
  const entries = Object.entries(before ?? {});
  const gone = entries.filter(([field]) => field.startsWith(`${prefix} `));
  const left = entries.filter(([field]) => !field.startsWith(`${prefix} `));
  return { changes: named(losses(Object.fromEntries(gone))), state: Object.fromEntries(left) };
}

export const instanceHandlers: readonly BoundHandler[] = [
  audited(InstanceSettingsChanged, {
    action: 'settings.updated',
    key: () => 'settings',
    compares: true,
    describe: (data, before) => ({
      target: { type: 'settings', id: null, name: null },
      ...altered(before, settingFields(data as Partial<InstanceSettings>), DEFAULTS),
    }),
  }),
  audited(TermsOfServicePublished, {
    action: 'terms_of_service.published',
    key: () => 'terms',
    compares: true,
    describe: (data, before) => ({
      target: { type: 'terms_of_service', id: null, name: data.effective_date },
      ...altered(before, pick(data, ['effective_date', 'content'])),
    }),
  }),
  audited(RuleAdded, {
    action: 'rule.created',
    key: rulesKey,
    compares: true,
    describe: (data, before) => {
      const { changes, state } = altered(
        before,
        numbered(String(data.rule_id), pick(data, ['text', 'hint'])),
      );
      return {
        ...aboutRule(data),
        changes: named(changes),
        state: { ...state, order: [...orderOf(before), data.rule_id] },
      };
    },
  }),
  audited(RuleEdited, {
    action: 'rule.updated',
    key: rulesKey,
    compares: true,
    describe: (data, before) => {
      const { rule_id, translation } = data;
      const fields = {
        ...numbered(String(rule_id), pick(data, ['text', 'hint'])),
        ...(translation
          ? numbered(`${rule_id} ${translation.language}`, pick(translation, ['text', 'hint']))
          : {}),
      };
      const { changes, ...kept } = altered(before, fields);
      return { ...aboutRule(data), ...kept, changes: named(changes) };
    },
  }),
  audited(RuleTranslationRemoved, {
    action: 'rule.translation_removed',
    key: rulesKey,
    compares: true,
    describe: (data, before) => ({
      ...aboutRule(data),
      ...without(before, `${data.rule_id} ${data.language}`),
    }),
  }),
  audited(RuleRemoved, {
    action: 'rule.deleted',
    key: rulesKey,
    compares: true,
    describe: (data, before) => {
      const { changes, state } = without(before, String(data.rule_id));
      const order = orderOf(before).filter((id) => id !== data.rule_id);
      return { ...aboutRule(data), changes, state: { ...state, order } };
    },
  }),
  audited(RulesReordered, {
    action: 'rule.reordered',
    key: rulesKey,
    compares: true,
    describe: ({ rule_ids }, before) => ({
      target: { type: 'rule', id: null, name: null },
      changes: [change('order', orderOf(before), rule_ids)],
      state: { ...before, order: rule_ids },
    }),
  }),
];
