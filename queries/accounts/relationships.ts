import { z } from 'zod';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { formBoolean, idList } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { RELATIONSHIP_FACTS, relationshipJson, type RelationshipFact } from '../entities/relationship.ts';
import { relationshipSchema, type Relationship } from '../entities/schemas/index.ts';

/** More ids than this are left out; apps ask about one page of accounts at a time. */
const MAX_IDS = 200;

const FACTS = statement('account_relationships', RELATIONSHIP_FACTS);

/** What one account has to another. @throws RookeryError `not_found` when there is no such account */
export async function relationshipOf(db: Db, viewerId: string, accountId: string): Promise<Relationship> {
  const [relationship] = await relationshipsOf(db, viewerId, [accountId], { withSuspended: true });
  if (!relationship) throw notFound();
  return relationship;
}

/** In the order asked for; unknown accounts are left out. */
export const showRelationships = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/relationships',
  summary: 'View relationships to other accounts',
  auth: 'user',
  scopes: ['read:follows'],
  query: z.object({
    id: idList(MAX_IDS).describe(
      `IDs of accounts, of which the first ${MAX_IDS} count; unknown ones are left out.`,
    ),
    with_suspended: formBoolean
      .optional()
      .describe('Whether suspended accounts are included; false by default.'),
  }),
  reply: z.array(relationshipSchema),
  handler: async (ctx, { query }) => {
    await ctx.settle([MAIN]);
    const withSuspended = query.with_suspended === true;
    return { json: await relationshipsOf(ctx.db, ctx.viewer.account_id, query.id, { withSuspended }) };
  },
});

async function relationshipsOf(
  db: Db,
  viewerId: string,
  ids: readonly string[],
  { withSuspended }: { withSuspended: boolean },
): Promise<Relationship[]> {
  const facts = await db.query<RelationshipFact>(FACTS, [viewerId, ids, withSuspended]);
  const byAccount = Map.groupBy(facts, ({ account_id }) => account_id);
  return ids.flatMap((id) => {
    const about = byAccount.get(id) ?? [];
    return about.some(({ kind }) => kind === 'known') ? [relationshipJson(id, about)] : [];
  });
}
