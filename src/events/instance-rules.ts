import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { language } from './common.ts';

/** Characters of a rule, as in Mastodon. */
export const MAX_RULE_TEXT = 300;
export const MAX_RULE_HINT = 2_000;
export const MAX_RULES = 50;
export const MAX_RULE_TRANSLATIONS = 50;

/** 1, 2, 3...: never reused, since reports name them. */
const rule_id = z.int().min(1).max(1_000_000);
// Twice the characters, because some take two UTF-16 units.
const ruleTexts = {
  text: z.string().max(2 * MAX_RULE_TEXT),
  /** A longer explanation of the rule; may be empty. */
  hint: z.string().max(2 * MAX_RULE_HINT),
};

/** Appended to the list. */
export const RuleAdded = defineEvent({
  type: 'RuleAdded',
  version: 1,
  schema: z.object({ rule_id, ...ruleTexts }),
  samples: { 1: { rule_id: 1, text: 'Be kind', hint: 'To everybody.' } },
});

/** Only the changed members; `translation` is that of one language. */
export const RuleEdited = defineEvent({
  type: 'RuleEdited',
  version: 1,
  schema: z.object({
    rule_id,
    text: ruleTexts.text.optional(),
    hint: ruleTexts.hint.optional(),
    translation: z.object({ language, ...ruleTexts }).optional(),
  }),
  samples: {
    1: { rule_id: 1, hint: '', translation: { language: 'de', text: 'Sei nett', hint: 'Zu allen.' } },
  },
});

export const RuleTranslationRemoved = defineEvent({
  type: 'RuleTranslationRemoved',
  version: 1,
  schema: z.object({ rule_id, language }),
  samples: { 1: { rule_id: 1, language: 'de' } },
});

export const RuleRemoved = defineEvent({
  type: 'RuleRemoved',
  version: 1,
  schema: z.object({ rule_id }),
  samples: { 1: { rule_id: 1 } },
});

/** All rules in their new order. */
export const RulesReordered = defineEvent({
  type: 'RulesReordered',
  version: 1,
  schema: z.object({ rule_ids: z.array(rule_id).max(MAX_RULES) }),
  samples: { 1: { rule_ids: [2, 1] } },
});

export const instanceRuleEvents = [
  RuleAdded,
  RuleEdited,
  RuleTranslationRemoved,
  RuleRemoved,
  RulesReordered,
];
export type InstanceRuleEvent = EventOf<(typeof instanceRuleEvents)[number]>;
