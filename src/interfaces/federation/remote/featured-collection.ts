import type { RemoteCollection } from '#commands/collections/index.ts';
import { upsertRemoteCollection } from '#commands/federation/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { languageCode } from '#mastodon/language.ts';
import { collectionOfUri, countRemoteCollections } from '#queries/federation/index.ts';
import { htmlOf } from './actor.ts';
import type { RemoteDocument } from './documents.ts';
import { idOf, languageText, listOf, naturalText, pageOf, pastMoment, typesOf } from './json.ts';
import { plainLine } from './plain-line.ts';
import { RemoteError } from './remote-error.ts';
import { hashtagOf } from './tags.ts';

/** The lengths that Mastodon stores. UTF-16 units. */
const MAX_NAME = 256;
const MAX_DESCRIPTION = 2_048;
/** The maximum number of items that are read. */
const MAX_ITEMS = 150;

/** A remote collection as its document describes it. */
export interface ForeignCollection extends RemoteCollection {
  ownerUri: string;
  /** Items, or their addresses. */
  items: unknown[];
}

export const isFeaturedCollection = ({ document }: RemoteDocument): boolean =>
  typesOf(document).includes('FeaturedCollection');

/** Parses the document of a collection. @throws RemoteError for any other document */
export function featuredCollectionOf(remote: RemoteDocument, now: string): ForeignCollection {
  const { id, document } = remote;
  const ownerUri = idOf(document['attributedTo']);
  if (!isFeaturedCollection(remote)) throw new RemoteError('is no collection of accounts');
  if (ownerUri === undefined || URL.parse(ownerUri)?.origin !== new URL(id).origin) {
    throw new RemoteError('is a collection of another server');
  }
  const summary = languageText(document, 'summary', MAX_DESCRIPTION);
  return {
    uri: id,
    url: pageOf(document, id),
    created_at: pastMoment(document['published'], now) ?? now,
    ownerUri,
    details: {
      name: plainLine(naturalText(document, 'name', MAX_NAME)),
      description: htmlOf(summary.text),
      language: languageCode(summary.language),
      sensitive: document['sensitive'] === true,
      discoverable: document['discoverable'] === true,
      tag: hashtagOf(document['topic']) ?? null,
    },
    items: listOf(document['orderedItems'], MAX_ITEMS),
  };
}

/** The maximum number of stored collections of a remote account, as in Mastodon. */
const MAX_COLLECTIONS = 50;

/**
 * Stores a collection, or its changes. @returns its id; undefined when the URI identifies something else.
 * @throws RemoteError when the account has too many
 */
export async function keepCollection(
  ctx: CommandContext,
  ownerId: Id,
  { ownerUri: _owner, items: _items, ...collection }: ForeignCollection,
): Promise<Id | undefined> {
  const known = await collectionOfUri(ctx.db, collection.uri, ownerId);
  if (known === undefined && (await countRemoteCollections(ctx.db, ownerId)) >= MAX_COLLECTIONS) {
    throw new RemoteError('has too many collections');
  }
  return upsertRemoteCollection(ctx, ownerId, collection);
}
