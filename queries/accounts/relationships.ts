import { z } from 'zod';
import type { RequestContext, Viewer } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { formBoolean, idsByAge } from '#kernel/input.ts';
import { statement } from '#kernel/read.ts';
import { type Relationship, relationshipSchema } from '#mastodon/schemas/index.ts';
import { needsMember } from '../entities/adaptations.ts';
import { RELATIONSHIP_FACTS, type RelationshipFact, relationshipJson } from '../entities/relationship.ts';

/** The maximum number of ids; more are left out. Apps send the ids of one page of accounts. */
const MAX_IDS = 200;

const FACTS = statement<RelationshipFact>('account_relationships', RELATIONSHIP_FACTS);

type Reader = Pick<RequestContext, 'db' | 'token'> & { viewer: Pick<Viewer, 'account_id'> };

/** Returns the user's relationship with an account. @throws RookeryError `not_found` */
export async function relationshipOf(ctx: Reader, accountId: string): Promise<Relationship> {
  const [relationship] = await relationshipsOf(ctx, [accountId], { withSuspended: true });
  if (!relationship) throw notFound();
  return relationship;
}

/** Looks up relationships by account id. Unknown accounts are left out. */
export const showRelationships = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/relationships',
  summary: 'View relationships to other accounts',
  auth: 'user',
  scopes: ['read:follows'],
  query: z.object({
    id: idsByAge(MAX_IDS).describe(
      `IDs of accounts, of which the first ${MAX_IDS} count; unknown ones are left out.`,
    ),
    with_suspended: formBoolean
      .optional()
      .describe('Whether suspended accounts are included; false by default.'),
  }),
  reply: z.array(relationshipSchema),
  handler: async (ctx, { query }) => {
    const withSuspended = query.with_suspended === true;
    return { json: await relationshipsOf(ctx, query.id, { withSuspended }) };
  },
});

async function relationshipsOf(
  { db, token, viewer }: Reader,
  ids: readonly string[],
  { withSuspended }: { withSuspended: boolean },
): Promise<Relationship[]> {
  const withBlockedBy = needsMember(token, 'relationship.blocked_by');
  const values = [viewer.account_id, ids, withSuspended, withBlockedBy];
  const facts = await db.query(FACTS, values);
  const byAccount = Map.groupBy(facts, ({ account_id }) => account_id);
  return ids.flatMap((id) => {
    const about = byAccount.get(id) ?? [];
    return about.some(({ kind }) => kind === 'known') ? [relationshipJson(id, about, { withBlockedBy })] : [];
  });
}
