import { z } from 'zod';
import {
  addRule,
  editRule,
  MAX_RULE_HINT,
  MAX_RULE_TEXT,
  MAX_RULES,
  moveRule,
  removeRuleTranslation,
} from '#commands/instance/index.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { parameterMissing } from '#kernel/errors.ts';
import { formInteger, idParams } from '#kernel/input.ts';
import { ruleSchema } from '#mastodon/schemas/index.ts';
import { deleteRule } from './delete.ts';
import { requireRule } from './rule.ts';

/** Mastodon changes rules on web pages, and has no API for it. */
const staff = { auth: 'user', scopes: ['admin:write'], permission: 'manage_rules' } as const;

const text = z
  .string()
  .max(2 * MAX_RULE_TEXT)
  .nullish()
  .describe(`The rule, in at most ${MAX_RULE_TEXT} characters.`);
const hint = z
  .string()
  .max(2 * MAX_RULE_HINT)
  .nullish()
  .describe(`What is meant by it, in at most ${MAX_RULE_HINT} characters.`);
const language = z.string().max(50);

const ruleReply = async (ctx: UserContext, id: string): Promise<Reply> => ({
  json: await requireRule(ctx, id),
});

export const createRule = endpoint({
  ...staff,
  method: 'POST',
  path: '/api/v1/admin/rules',
  summary: 'Add a rule at the end of the list',
  body: z.object({ text, hint }),
  requires: ['text'],
  reply: ruleSchema,
  handler: async (ctx, { body }) => {
    const { state } = await addRule(ctx, { text: body.text ?? '', hint: body.hint ?? '' });
    return ruleReply(ctx, String(state.lastRuleId));
  },
});

const ofOne = { ...staff, params: idParams, reply: ruleSchema } as const;

export const updateRule = endpoint({
  ...ofOne,
  method: 'PUT',
  path: '/api/v1/admin/rules/:id',
  summary: 'Change a rule, or its translation into a language',
  body: z.object({
    text,
    hint,
    language: language
      .nullish()
      .describe('The language of a translation, such as `de`; without it the rule itself is changed.'),
  }),
  handler: async (ctx, { params: { id }, body }) => {
    await requireRule(ctx, id);
    await editRule(ctx, {
      id: Number(id),
      ...(body.text == null ? {} : { text: body.text }),
      ...(body.hint == null ? {} : { hint: body.hint }),
      ...(body.language ? { language: body.language } : {}),
    });
    return ruleReply(ctx, id);
  },
});

export const moveRuleTo = endpoint({
  ...ofOne,
  method: 'POST',
  path: '/api/v1/admin/rules/:id/move',
  summary: 'Move a rule to another place in the list',
  body: z.object({
    place: formInteger(1, MAX_RULES).optional().describe('Its place in the list, from 1, the first.'),
  }),
  requires: ['place'],
  handler: async (ctx, { params: { id }, body }) => {
    await requireRule(ctx, id);
    if (body.place == null) throw parameterMissing('place');
    await moveRule(ctx, { id: Number(id), place: body.place });
    return ruleReply(ctx, id);
  },
});

export const removeTranslation = endpoint({
  ...ofOne,
  method: 'POST',
  path: '/api/v1/admin/rules/:id/remove_translation',
  summary: 'Remove the translation of a rule into a language',
  body: z.object({ language: language.nullish().describe('The language of the translation, such as `de`.') }),
  requires: ['language'],
  handler: async (ctx, { params: { id }, body }) => {
    await requireRule(ctx, id);
    await removeRuleTranslation(ctx, { id: Number(id), tag: body.language ?? '' });
    return ruleReply(ctx, id);
  },
});

export const adminRuleCommands = [createRule, updateRule, moveRuleTo, removeTranslation, deleteRule];
