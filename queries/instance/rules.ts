import { z } from 'zod';
import type { InstanceRuleRow } from '../../projections/instance.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { ruleSchema, type Rule } from '../../src/mastodon/schemas/index.ts';

const RULES = statement(
  'instance_rules',
  `select id, text, hint, translations from instance_rules where not removed order by position, id`,
);

/** Returns the rules of this server, in their order. */
export async function rulesOf(db: Db): Promise<Rule[]> {
  return (await db.query<InstanceRuleRow>(RULES)).map((row) => ({ ...row, id: String(row.id) }));
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
