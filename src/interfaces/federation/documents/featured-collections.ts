import type { Instance } from '#kernel/context.ts';
import type { LocalCollection, LocalCollectionItem } from '#queries/federation/index.ts';
import {
  type Document,
  FEATURE_AUTHORIZATION_CONTEXT,
  FEATURE_REQUEST_CONTEXT,
  FEATURED_COLLECTION_CONTEXT,
} from './contexts.ts';

/*
 * Collections of accounts between servers, as Mastodon 4.6 writes them:
 * https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md
 */

type Origin = Pick<Instance, 'origin'>;

const below = (accountId: string, path: string, { origin }: Origin): string =>
  `${origin}/ap/users/${accountId}/${path}`;

/** Returns the address of the list of an account's collections. */
export const featuredCollectionsUri = (ownerId: string, instance: Origin): string =>
  below(ownerId, 'featured_collections', instance);

export const featuredItemUri = (ownerId: string, itemId: string, instance: Origin): string =>
  below(ownerId, `collection_items/${itemId}`, instance);

/** Returns the address of a local account's authorization for a collection. */
export const featureAuthorizationUri = (accountId: string, itemId: string, instance: Origin): string =>
  below(accountId, `feature_authorizations/${itemId}`, instance);

export const collectionDocument = (collection: LocalCollection, instance: Instance): Document => ({
  '@context': FEATURED_COLLECTION_CONTEXT,
  ...collectionObject(collection, instance),
});

/** Returns the object without its vocabulary, for another document. */
export const collectionObject = (collection: LocalCollection, instance: Instance): Document => {
  const { tag, language, description, items } = collection;
  return {
    id: collection.uri,
    type: 'FeaturedCollection',
    totalItems: items.length,
    name: collection.name,
    attributedTo: collection.owner_uri,
    url: collection.url,
    sensitive: collection.sensitive,
    discoverable: collection.discoverable,
    published: collection.created_at,
    updated: collection.updated_at,
    ...(language === null ? { summary: description } : { summaryMap: { [language]: description } }),
    ...(tag === null
      ? {}
      : {
          topic: {
            type: 'Hashtag',
            href: `${instance.origin}/tags/${encodeURIComponent(tag)}`,
            name: `#${collection.tag_name ?? tag}`,
          },
        }),
    orderedItems: items.map((item) => itemObject(item, collection.account_id, instance)),
  };
};

export const itemDocument = (item: LocalCollectionItem, ownerId: string, instance: Instance): Document => ({
  '@context': FEATURED_COLLECTION_CONTEXT,
  ...itemObject(item, ownerId, instance),
});

export const itemObject = (
  { id, account_id, account_uri, authorization_uri, created_at }: LocalCollectionItem,
  ownerId: string,
  instance: Instance,
): Document => ({
  id: featuredItemUri(ownerId, id, instance),
  type: 'FeaturedItem',
  featuredObject: account_uri,
  featureAuthorization: authorization_uri ?? featureAuthorizationUri(account_id, id, instance),
  published: created_at,
});

/** Returns the authorization by a local account that a collection features it. */
export const featureAuthorizationDocument = (
  id: string,
  { collection_uri, account_uri }: { collection_uri: string; account_uri: string },
): Document => ({
  '@context': FEATURE_AUTHORIZATION_CONTEXT,
  id,
  type: 'FeatureAuthorization',
  interactingObject: collection_uri,
  interactionTarget: account_uri,
});

/**
 * Returns the answer of a local account; with `authorization` when it approves. `name` distinguishes the
 * answer from others.
 */
export const featureAnswer = (
  name: string,
  { actor, to, request }: { actor: string; to: string; request: string },
  authorization: string | undefined,
): Document & { actor: string } => ({
  '@context': FEATURE_REQUEST_CONTEXT,
  id: `${actor}#${authorization === undefined ? 'rejects' : 'accepts'}/feature_requests/${name}`,
  type: authorization === undefined ? 'Reject' : 'Accept',
  actor,
  to,
  object: request,
  ...(authorization === undefined ? {} : { result: authorization }),
});

/** Returns the id of the request to feature an account in a collection. */
export const featureRequestUri = (ownerUri: string, itemId: string): string =>
  `${ownerUri}/feature_requests/${itemId}`;
export const OWN_FEATURE_REQUEST = /\/feature_requests\/([0-9]{1,19})$/;
