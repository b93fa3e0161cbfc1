import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type Rule, ruleSchema } from '#mastodon/schemas/index.ts';
import type { InstanceRuleRow } from '#projections/instance.ts';

const RULES = statement<InstanceRuleRow>(
  'instance_rules',
  `select id, text, hint, translations from instance_rules where not removed order by position, id`,
);

/** Returns the rules of this server, in their order. */
export async function rulesOf(db: Db): Promise<Rule[]> {
  return (await db.query(RULES)).map((row) => ({ ...row, id: String(row.id) }));
}

/** https://docs.joinmastodon.org/methods/instance/#rules */
export const listRules = endpoint({
  method: 'GET',
  path: '/api/v1/instance/rules',
  summary: 'View the rules of this server',
  auth: 'public',
  scopes: [],
  reply: z.array(ruleSchema),
  handler: async (ctx) => {
    return { json: await rulesOf(ctx.db) };
  },
});
