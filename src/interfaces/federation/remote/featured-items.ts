import {
  fetchCollectionAgain,
  forgetCollection,
  keepItems,
  nameItem,
  type RemoteOwned,
  takeItem,
} from '#commands/federation/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { JsonObject } from '#kernel/event.ts';
import { type Id, isId } from '#kernel/ids.ts';
import {
  collectionItem,
  collectionOfUri,
  isAwaitedHere,
  itemsOfCollection,
  knownActor,
  localAccounts,
  namedAccounts,
} from '#queries/federation/index.ts';
import { checkFeatureAuthorization } from './feature-authorizations.ts';
import { featuredCollectionOf, type ForeignCollection, keepCollection } from './featured-collection.ts';
import { type Foreign, idOf, isObject, pastMoment, typesOf } from './json.ts';
import type { Refresh } from './profile.ts';
import { ignoreRemoteError, isRemoteError, isTransient, RemoteError } from './remote-error.ts';
import { RemoteFetcher } from './remote-fetcher.ts';

/** Milliseconds for one job with all its requests. */
const DEADLINE = 60_000;
/** The maximum number of items of a collection. */
const MAX_ITEMS = 50;

type Taking = Refresh & { ctx: CommandContext };
/** Unknown accounts are stored for a collection if its owner is followed. */
type TakingItems = Taking & { isFollowed: boolean };

/** Runs a `FETCH_COLLECTION` job: updates a collection and its items to what its server shows. */
export async function fetchCollection(refresh: Refresh, data: JsonObject): Promise<void> {
  const { uri, owner_id: ownerId, tries } = data;
  if (typeof uri !== 'string' || typeof ownerId !== 'string' || typeof tries !== 'number') return;
  if (!isId(ownerId)) return;
  const ctx = refresh.context();
  const signal = AbortSignal.any([refresh.signal, AbortSignal.timeout(DEADLINE)]);
  try {
    await takeCollection({ ...refresh, ctx, signal }, uri, ownerId);
  } catch (error) {
    refresh.signal.throwIfAborted();
    if (!isRemoteError(error)) throw error;
    refresh.onRefusal(error);
    if (isTransient(error)) await fetchCollectionAgain(ctx, { uri, ownerId, tries });
  }
}

/**
 * Stores a collection that is known, or whose owner is followed by a local user. @throws RemoteError,
 * FetchError
 */
async function takeCollection(taking: Taking, uri: string, ownerId: Id): Promise<void> {
  const { ctx, documents, signal } = taking;
  const [known, isFollowed, accounts] = await Promise.all([
    collectionOfUri(ctx.db, uri, ownerId),
    isAwaitedHere(ctx.db, ownerId),
    namedAccounts(ctx.db, [ownerId]),
  ]);
  const owner = accounts.get(ownerId);
  if (!owner || owner.domain === null || owner.suspended || (known === undefined && !isFollowed)) return;
  const found = await documents.get(uri, signal).catch(async (error: unknown) => {
    const isGone =
      known !== undefined && error instanceof RemoteError && (await documents.isGone(uri, signal));
    if (isGone) await forgetCollection(ctx, { id: known, ownerId });
    throw error;
  });
  const foreign = featuredCollectionOf(found, ctx.now);
  if (foreign.uri !== uri || foreign.ownerUri !== owner.uri) {
    throw new RemoteError('is a collection of another account');
  }
  const id = await keepCollection(ctx, ownerId, foreign);
  if (id === undefined) return;
  await takeItems({ ...taking, isFollowed }, { id, ownerId }, foreign);
}

/** Removed items go first, so that there is room for others. */
async function takeItems(
  taking: TakingItems,
  owned: RemoteOwned,
  { uri, items }: ForeignCollection,
): Promise<void> {
  const { ctx } = taking;
  const origin = new URL(uri).origin;
  const wanted = items.filter((item) => URL.parse(idOf(item) ?? '')?.origin === origin).slice(0, MAX_ITEMS);
  const uris = new Set(wanted.map(idOf));
  await keepItems(ctx, owned, (one) => uris.has(one));
  const known = await itemsOfCollection(ctx.db, owned.id);
  const accepted = new Set(known.filter((item) => item.accepted).map((item) => item.uri));
  for (const item of wanted.filter((one) => !accepted.has(idOf(one) ?? ''))) {
    await takeOne(taking, owned, item).catch(ignoreRemoteError);
  }
}

interface ForeignItem {
  uri: string;
  accountUri: string;
  authorization: string | undefined;
  created_at: string;
}

/** Stores one item. @throws RemoteError, FetchError */
async function takeOne(taking: TakingItems, owned: RemoteOwned, value: unknown): Promise<void> {
  const { ctx, documents, signal } = taking;
  const uri = idOf(value) ?? '';
  const document = isObject(value) ? value : (await documents.get(uri, signal)).document;
  const item = foreignItem(uri, document, ctx.now);
  const [local] = await localAccounts(ctx.db, [item.accountUri]);
  // A local account is a member only after it was asked, whatever the collection says.
  if (local) return nameItem(ctx, owned, local.id, uri);
  const { authorization, accountUri, created_at } = item;
  if (authorization === undefined) return;
  if (documents.assertForeign(authorization).origin !== documents.assertForeign(accountUri).origin) return;
  if (!taking.isFollowed && !(await knownActor(ctx.db, accountUri))) return;
  const fetcher = new RemoteFetcher({ ...taking, onAccount: () => undefined });
  const account_id = await fetcher.author(accountUri);
  const id = await takeItem(ctx, owned, { account_id, uri, authorization, created_at });
  if (id === undefined) return;
  const taken = await collectionItem(ctx.db, id, account_id);
  if (taken?.accepted === false) await checkFeatureAuthorization(taking, taken, authorization);
}

/** Parses an item. @throws RemoteError for any other document */
function foreignItem(uri: string, document: Foreign, now: string): ForeignItem {
  const accountUri = idOf(document['featuredObject']);
  if (!typesOf(document).includes('FeaturedItem') || accountUri === undefined) {
    throw new RemoteError('is no item of a collection');
  }
  return {
    uri,
    accountUri,
    authorization: idOf(document['featureAuthorization']),
    created_at: pastMoment(document['published'], now) ?? now,
  };
}
