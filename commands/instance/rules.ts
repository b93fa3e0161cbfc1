import { INSTANCE_STREAM, type InstanceEvent } from '#events/instance.ts';
import { MAX_RULE_HINT, MAX_RULE_TEXT, MAX_RULE_TRANSLATIONS, MAX_RULES } from '#events/instance-rules.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { languageCode } from '#mastodon/language.ts';
import { useCase } from '../use-case.ts';
import { instance, type InstanceState, type Rule } from './instance.ts';

interface Texts {
  text: string;
  hint: string;
}

/** Adds a rule at the end of the list; its id is the last one of the new state. @throws RookeryError `invalid` */
export const addRule = useCase({
  stream: (_texts: Texts) => INSTANCE_STREAM,
  decider: instance,
  decide: decideAddRule,
});

/** Pure. @throws RookeryError `invalid` */
export function decideAddRule({ rules, lastRuleId }: InstanceState, texts: Texts): InstanceEvent[] {
  if (rules.size >= MAX_RULES) throw invalid(`There are ${MAX_RULES} rules, which is the most there can be`);
  return [{ type: 'RuleAdded', data: { rule_id: lastRuleId + 1, ...checked(texts) } }];
}

/**
 * Changes a rule, or its translation, which needs a text of its own.
 * @throws RookeryError `not_found`, `invalid`
 */
export const editRule = useCase({
  stream: (_command: { id: number } & Partial<Texts> & { language?: string }) => INSTANCE_STREAM,
  decider: instance,
  decide: (state, { id, ...changes }) => decideEditRule(state, id, changes),
});

/** Decides only differences. Pure. @throws RookeryError `not_found`, `invalid` */
export function decideEditRule(
  state: InstanceState,
  id: number,
  { language: tag, ...changes }: Partial<Texts> & { language?: string },
): InstanceEvent[] {
  const rule = requireRule(state, id);
  if (tag === undefined) {
    const changed = changedFields({ text: rule.text, hint: rule.hint }, checked({ ...rule, ...changes }));
    return changed ? [{ type: 'RuleEdited', data: { rule_id: id, ...changed } }] : [];
  }
  const language = languageOf(tag);
  const before = rule.translations[language];
  if (!before && Object.keys(rule.translations).length >= MAX_RULE_TRANSLATIONS) {
    throw invalid(`A rule can have ${MAX_RULE_TRANSLATIONS} translations`);
  }
  const after = checked({ text: '', hint: '', ...before, ...changes });
  if (before && !changedFields(before, after)) return [];
  return [{ type: 'RuleEdited', data: { rule_id: id, translation: { language, ...after } } }];
}

/** Does nothing without a translation. @throws RookeryError `not_found` for an unknown rule */
export const removeRuleTranslation = useCase({
  prepare: (_ctx, { id, tag }: { id: number; tag: string }) => ({ id, language: languageOf(tag) }),
  stream: () => INSTANCE_STREAM,
  decider: instance,
  decide: (state, { id, language }) => decideRemoveTranslation(state, id, language),
  step: () => 'translation',
});

/** Pure. @throws RookeryError `not_found` */
export function decideRemoveTranslation(state: InstanceState, id: number, language: string): InstanceEvent[] {
  if (!requireRule(state, id).translations[language]) return [];
  return [{ type: 'RuleTranslationRemoved', data: { rule_id: id, language } }];
}

/** @throws RookeryError `not_found` */
export const removeRule = useCase({
  stream: (_id: number) => INSTANCE_STREAM,
  decider: instance,
  decide: decideRemoveRule,
});

/** Pure. @throws RookeryError `not_found` */
export function decideRemoveRule(state: InstanceState, id: number): InstanceEvent[] {
  requireRule(state, id);
  return [{ type: 'RuleRemoved', data: { rule_id: id } }];
}

/** Moves a rule to a position in the list; 1 is the first. @throws RookeryError `not_found`, `invalid` */
export const moveRule = useCase({
  stream: (_command: { id: number; place: number }) => INSTANCE_STREAM,
  decider: instance,
  decide: (state, { id, place }) => decideMoveRule(state, id, place),
  step: () => 'place',
});

/** Decides nothing when it is there already. Pure. @throws RookeryError `not_found`, `invalid` */
export function decideMoveRule(state: InstanceState, id: number, place: number): InstanceEvent[] {
  requireRule(state, id);
  const before = [...state.rules.keys()];
  if (!Number.isInteger(place) || place < 1 || place > before.length) {
    throw invalid(`The place must be a number from 1 to ${before.length}`);
  }
  const after = before.filter((other) => other !== id);
  after.splice(place - 1, 0, id);
  return changedFields({ before }, { before: after })
    ? [{ type: 'RulesReordered', data: { rule_ids: after } }]
    : [];
}

function requireRule(state: InstanceState, id: number): Rule {
  const rule = state.rules.get(id);
  if (!rule) throw new RookeryError('not_found', `There is no rule ${id}`);
  return rule;
}

function checked({ text, hint }: Texts): Texts {
  const texts = { text: text.trim(), hint: hint.trim() };
  if (texts.text === '') throw invalid("The text of a rule can't be blank");
  for (const [name, most] of [
    ['text', MAX_RULE_TEXT],
    ['hint', MAX_RULE_HINT],
  ] as const) {
    if ([...texts[name]].length > most) {
      throw invalid(`The ${name} of a rule is too long (maximum is ${most} characters)`);
    }
  }
  return texts;
}

function languageOf(tag: string): string {
  const language = languageCode(tag);
  if (language === null) throw invalid(`${tag} is no language`);
  return language;
}
