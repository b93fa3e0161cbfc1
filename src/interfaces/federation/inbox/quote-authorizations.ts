import { withdrawItem, withdrawQuote } from '../../../../commands/federation/index.ts';
import { itemsByAuthorization, quotesByAuthorization } from '../../../../queries/federation/index.ts';
import type { Id } from '../../../kernel/ids.ts';
import type { ActivityContext } from './activity-context.ts';

/** The author of quoted posts takes a stamp back: what is quoted by it is so no more, nor will be. https://w3id.org/fep/044f */
export async function revokeQuoteAuthorization(
  { ctx }: ActivityContext,
  authorId: Id,
  uri: string,
): Promise<void> {
  const quotes = await quotesByAuthorization(ctx.db, uri, authorId);
  await Promise.all(
    quotes.map(({ id, quoted_id, quoted_account_id }) =>
      withdrawQuote(ctx, id, { id: quoted_id, account_id: quoted_account_id }),
    ),
  );
}

/** An account takes back that it may be in a collection. https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md */
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
