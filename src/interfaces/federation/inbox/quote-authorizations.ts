import { withdrawItem, withdrawQuote } from '#commands/federation/index.ts';
import type { Id } from '#kernel/ids.ts';
import { itemsByAuthorization, quotesByAuthorization } from '#queries/federation/index.ts';
import type { ActivityContext } from './activity-context.ts';

/** Revokes the quotes that use an authorization its author deleted. https://w3id.org/fep/044f */
export async function revokeQuoteAuthorization(
  { ctx }: ActivityContext,
  authorId: Id,
  uri: string,
): Promise<void> {
  const quotes = await quotesByAuthorization(ctx.db, uri, authorId);
  await Promise.all(
    quotes.map(({ id, quoted_id, quoted_account_id }) =>
      withdrawQuote(ctx, { quotingId: id, quoted: { id: quoted_id, account_id: quoted_account_id } }),
    ),
  );
}

/**
 * Removes an account from a collection after it deleted the authorization.
 * https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md
 */
export async function revokeFeatureAuthorization(
  { ctx }: ActivityContext,
  accountId: Id,
  uri: string,
): Promise<void> {
  const items = await itemsByAuthorization(ctx.db, uri, accountId);
  await Promise.all(
    items.map(({ id, collection_id }) =>
      withdrawItem(ctx, { collectionId: collection_id, itemId: id, accountId }, uri),
    ),
  );
}
