import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { formBoolean, idList } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import {
  relationshipColumns,
  relationshipJoins,
  relationshipJson,
  type RelationshipRow,
} from '../entities/relationship.ts';
import { relationshipSchema, type Relationship } from '../entities/schemas/index.ts';

/** More ids than this are left out; apps ask about one page of accounts at a time. */
const MAX_IDS = 200;

const RELATIONSHIPS = statement(
  'account_relationships',
  `select ${relationshipColumns('$1')} from accounts a ${relationshipJoins('$1')}
   where a.id = any($2) and (not a.suspended or $3::boolean)`,
);

/** What one account has to another. @throws RookeryError `not_found` when there is no such account */
export async function relationshipOf(db: Db, viewerId: string, accountId: string): Promise<Relationship> {
  const [row] = await db.query<RelationshipRow>(RELATIONSHIPS, [viewerId, [accountId], true]);
  if (!row) throw notFound();
  return relationshipJson(row);
}

/** In the order asked for; unknown accounts are left out. */
export const showRelationships = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/relationships',
  summary: 'View relationships to other accounts',
  auth: 'user',
  scopes: ['read:follows'],
  query: z.object({ id: idList(MAX_IDS), with_suspended: formBoolean.optional() }),
  reply: z.array(relationshipSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    const rows = await ctx.db.query<RelationshipRow>(RELATIONSHIPS, [
      ctx.viewer.account_id,
      query.id,
      query.with_suspended === true,
    ]);
    const found = new Map(rows.map((row) => [row.account_id, relationshipJson(row)]));
    return { json: query.id.flatMap((id) => found.get(id) ?? []) };
  },
});
