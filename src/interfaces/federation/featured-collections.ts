import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import {
  countLocalCollections,
  featureAuthorization,
  localCollection,
  localCollectionItem,
  localCollections,
} from '#queries/federation/index.ts';
import { documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { FEATURED_COLLECTION_CONTEXT } from './documents/contexts.ts';
import {
  collectionDocument,
  collectionObject,
  featureAuthorizationDocument,
  featureAuthorizationUri,
  featuredCollectionsUri,
  itemDocument,
} from './documents/featured-collections.ts';

/** Collections of a page, as in Mastodon. */
const PAGE = 5;
const MAX_PAGE = 1_000;

/** `GET /ap/users/:account/featured_collections`: the listed collections of an account. */
export async function showFeaturedCollections(asked: DocumentRequest): Promise<DocumentResponse> {
  const { ctx, instance, query } = asked;
  const ownerId = idIn(asked, 'account');
  const total = await countLocalCollections(ctx.db, ownerId, await asked.signer());
  if (total === undefined) throw notFound();
  const id = featuredCollectionsUri(ownerId, instance);
  const collection = { '@context': FEATURED_COLLECTION_CONTEXT, totalItems: total };
  const asks = query.get('page') ?? '';
  if (asks === '') return documentReply({ ...collection, id, type: 'Collection', first: `${id}?page=1` });
  const page = /^[1-9][0-9]{0,3}$/.test(asks) ? Math.min(Number(asks), MAX_PAGE) : 1;
  const found = await localCollections(ctx.db, ownerId, { limit: PAGE, offset: (page - 1) * PAGE });
  return documentReply({
    ...collection,
    id: `${id}?page=${page}`,
    type: 'CollectionPage',
    ...(page * PAGE < total ? { next: `${id}?page=${page + 1}` } : {}),
    ...(page > 1 ? { prev: `${id}?page=${page - 1}` } : {}),
    partOf: id,
    items: found.map((one) => collectionObject(one, instance)),
  });
}

/**
 * `GET /ap/users/:account/collections/:id` and `/collections/:id`: the collection, or its page; also an
 * unlisted one.
 */
export async function showFeaturedCollection(asked: DocumentRequest): Promise<DocumentResponse> {
  const { ctx, instance, params } = asked;
  const found = await localCollection(ctx.db, idIn(asked, 'id'), await asked.signer());
  if (!found || (params['account'] !== undefined && params['account'] !== found.account_id)) throw notFound();
  return asked.document ? documentReply(collectionDocument(found, instance)) : { redirect: found.url };
}

/** `GET /ap/users/:account/collection_items/:id`: one account in a collection. */
export async function showFeaturedItem(asked: DocumentRequest): Promise<DocumentResponse> {
  const { ctx, instance } = asked;
  const ownerId = idIn(asked, 'account');
  const item = await localCollectionItem(ctx.db, ownerId, idIn(asked, 'id'), await asked.signer());
  if (!item) throw notFound();
  return documentReply(itemDocument(item, ownerId, instance));
}

/**
 * `GET /ap/users/:account/feature_authorizations/:id`: an account's authorization for a collection, while it
 * is valid.
 */
export async function showFeatureAuthorization(asked: DocumentRequest): Promise<DocumentResponse> {
  const { ctx, instance } = asked;
  const accountId = idIn(asked, 'account');
  const id = idIn(asked, 'id');
  const featured = await featureAuthorization(ctx.db, accountId, id, await asked.signer());
  if (!featured) throw notFound();
  return documentReply(
    featureAuthorizationDocument(featureAuthorizationUri(accountId, id, instance), featured),
  );
}

/** Throws RookeryError `not_found` for text that is no id. */
function idIn({ params }: DocumentRequest, name: 'account' | 'id'): string {
  const id = params[name] ?? '';
  if (!isId(id)) throw notFound();
  return id;
}
