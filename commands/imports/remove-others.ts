import type { RelationshipEvent } from '#events/relationships.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Import } from '#kernel/services/imports.ts';
import type { ImportType } from '#mastodon/portability.ts';
import { type Surplus, surplusMembers, surplusOf } from '#queries/imports.ts';
import { allListsOf } from '#queries/lists/index.ts';
import { unblockDomainAs } from '../domain-blocks/index.ts';
import { deleteListAs, removeFromList } from '../lists/index.ts';
import {
  changeRelationship,
  decideUnblock,
  decideUnfollow,
  decideUnmute,
  type Pair,
  type RelationshipState,
} from '../relationships/index.ts';
import { unbookmarkAs } from '../statuses/index.ts';

type Decide = (state: RelationshipState, pair: Pair) => RelationshipEvent[];
type Remover = (ctx: CommandContext, accountId: Id, surplus: Surplus) => Promise<unknown>;

const unrelate =
  (decide: Decide): Remover =>
  (ctx, account_id, { target_id: target_account_id }) =>
    changeRelationship(ctx, { account_id, target_account_id }, decide);

const REMOVERS: Record<ImportType, Remover> = {
  following: unrelate(decideUnfollow),
  blocks: unrelate(decideUnblock),
  mutes: unrelate(decideUnmute),
  'domain-blocks': (ctx, account_id, { domain }) => unblockDomainAs(ctx, { account_id, domain }),
  lists: (ctx, accountId, { target_id }) =>
    deleteListAs(ctx, { accountId, listId: target_id }).catch(unlessGone),
  bookmarks: (ctx, account_id, { target_id: status_id, of_id: status_account_id }) =>
    unbookmarkAs(ctx, { account_id, status_id, status_account_id }),
};

/**
 * Removes entries of the account that the file does not name, each by the command of the API. May run again.
 */
export async function removeOthers(ctx: CommandContext, of: Import, signal: AbortSignal): Promise<void> {
  await forEachBelow(
    (before, limit) => surplusOf(ctx.db, of, before, limit),
    (surplus) => REMOVERS[of.type](ctx, of.account_id, surplus),
    { signal },
  );
  if (of.type === 'lists') await emptyLists(ctx, of, signal);
}

/**
 * Removes members that the file does not name from the lists that stay. May run again: it removes the rest.
 */
async function emptyLists(ctx: CommandContext, of: Import, signal: AbortSignal): Promise<void> {
  const lists = await allListsOf(ctx.db, of.account_id);
  await Promise.all(
    lists.map(({ id }) =>
      forEachBelow(
        (before, limit) => surplusMembers(ctx.db, of, id, before, limit),
        ({ target_id }) =>
          removeFromList(ctx, { accountId: of.account_id, listId: id, ids: [target_id] }).catch(unlessGone),
        { signal },
      ),
    ),
  );
}

/** A deleted list has no members to remove. */
function unlessGone(error: unknown): void {
  if (!isRookeryError(error) || error.code !== 'not_found') throw error;
}
