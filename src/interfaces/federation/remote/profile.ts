import {
  countRemoteAccount,
  fetchCollectionLater,
  pinRemoteStatus,
  refreshProfileAgain,
  replaceRemoteTags,
  unpinRemoteStatus,
} from '#commands/federation/index.ts';
import type { RemoteTallies } from '#events/federation.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';
import { MAX_PINNED } from '#mastodon/limits.ts';
import { parseTagName } from '#mastodon/tag-name.ts';
import {
  isAwaitedHere,
  pinsOf,
  remotePostOf,
  type RemoteProfile,
  remoteProfile,
} from '#queries/federation/index.ts';
import { type Reading, urisIn, wholeCollection } from './collection.ts';
import type { RemoteAccess, RemoteDocument, RemoteDocuments } from './documents.ts';
import { removeGone } from './gone.ts';
import { idOf, isObject } from './json.ts';
import { ignoreRemoteError, isRemoteError, isTransient } from './remote-error.ts';
import { RemoteFetcher } from './remote-fetcher.ts';
import { hashtagOf } from './tags.ts';

export interface Refresh extends RemoteAccess {
  documents: RemoteDocuments;
  context: () => CommandContext;
  onRefusal: (error: unknown) => void;
  /** Aborts when the process shuts down. */
  signal: AbortSignal;
}

/** Milliseconds for one refresh with all its requests. */
const DEADLINE = 30_000;
const MAX_TOTAL = 1_000_000_000;
/** The maximum number of an account's collections that are fetched. */
const MAX_COLLECTIONS = 20;
/** The maximum number of local pins that are compared with the remote ones. */
const MAX_PINS_HERE = 50;

/**
 * Runs a `REFRESH_PROFILE` job: updates counts, featured hashtags and pinned posts to what the account's
 * server shows.
 */
export async function refreshProfile(refresh: Refresh, data: JsonObject): Promise<void> {
  const { account_id: accountId, tries } = data;
  if (typeof accountId !== 'string' || typeof tries !== 'number') return;
  const ctx = refresh.context();
  const known = await remoteProfile(ctx.db, accountId);
  if (!known) return;
  const signal = AbortSignal.any([refresh.signal, AbortSignal.timeout(DEADLINE)]);
  try {
    await takeProfile({ ...refresh, ctx, signal }, accountId, known);
  } catch (error) {
    refresh.signal.throwIfAborted();
    if (!isRemoteError(error)) throw error;
    refresh.onRefusal(error);
    if (isTransient(error)) await refreshProfileAgain(ctx, { accountId, uri: known.uri, tries });
  }
}

/** One context for the whole refresh, so that later parts wait for earlier ones. */
type Taking = Refresh & { ctx: CommandContext };

async function takeProfile(refresh: Taking, accountId: Id, known: RemoteProfile): Promise<void> {
  const { documents, signal, ctx } = refresh;
  const actor = await documents
    .get(known.uri, signal)
    .catch((error: unknown) => removeGone(refresh, known.uri, error));
  if (actor.id !== known.uri) return;
  const reading = { documents, signal, origin: new URL(actor.id).origin };
  const tags = await featured({ ...reading, read: (item) => hashtagOf(item)?.name }, actor, 'featuredTags');
  if (tags) {
    await replaceRemoteTags(
      ctx,
      accountId,
      tags.flatMap((name) => parseTagName(name) ?? []),
    );
  }
  const pinned = await featured({ ...reading, read: idOf }, actor, 'featured');
  if (pinned) await takePins({ ...refresh, origin: reading.origin }, accountId, pinned);
  await takeCollections(refresh, accountId, reading, actor);
  await count(refresh, accountId, { ...reading, actor });
}

/** Queues fetches of the collections of an account that a local user follows. */
async function takeCollections(
  { ctx }: Taking,
  ownerId: Id,
  reading: Asking,
  { document }: RemoteDocument,
): Promise<void> {
  const address = idOf(document['featuredCollections']);
  if (address === undefined || !(await isAwaitedHere(ctx.db, ownerId))) return;
  const uris = await urisIn(reading, address);
  const own = uris.filter((uri) => URL.parse(uri)?.origin === reading.origin).slice(0, MAX_COLLECTIONS);
  for (const uri of own) await fetchCollectionLater(ctx, { uri, ownerId });
}

type Asking = Omit<Reading, 'read'>;

/** Returns the items of a collection that an actor names; undefined when they are unknown. */
async function featured(reading: Reading, { document }: RemoteDocument, name: string) {
  const address = idOf(document[name]);
  return address === undefined ? undefined : wholeCollection(reading, address);
}

/** Last, so that posts that were just fetched count as known. */
async function count(
  { ctx }: Taking,
  accountId: Id,
  { actor, ...asking }: Asking & { actor: RemoteDocument },
): Promise<void> {
  const totals = await totalsOf(asking, actor);
  const known = await remoteProfile(ctx.db, accountId);
  if (known) await countRemoteAccount(ctx, { accountId, tallies: talliesOf(totals, known) });
}

type Totals = Record<keyof RemoteTallies, number | undefined>;

async function totalsOf(asking: Asking, { document }: RemoteDocument): Promise<Totals> {
  const [followers, following, statuses] = await Promise.all(
    ['followers', 'following', 'outbox'].map((name) => totalOf(asking, document[name])),
  );
  return { followers, following, statuses };
}

function talliesOf({ followers, following, statuses }: Totals, known: RemoteProfile): RemoteTallies {
  const tally = (total: number | undefined, here: number) =>
    total === undefined ? null : { total, known: here };
  return {
    followers: tally(followers, known.followers),
    following: tally(following, known.following),
    statuses: tally(statuses, known.statuses),
  };
}

/** Returns the number of items that a collection declares. */
async function totalOf({ documents, origin, signal }: Asking, value: unknown): Promise<number | undefined> {
  const here = isObject(value) ? value['totalItems'] : undefined;
  const address = idOf(value);
  const isThere = address !== undefined && URL.parse(address)?.origin === origin;
  const asked =
    here === undefined && isThere ? await documents.get(address, signal).catch(ignoreRemoteError) : undefined;
  const total = here ?? asked?.document['totalItems'];
  return Number.isInteger(total) && (total as number) >= 0 ? Math.min(total as number, MAX_TOTAL) : undefined;
}

/** Updates the pinned posts, the first one on top. Fetches unknown posts. */
async function takePins(
  refresh: Taking & { origin: string },
  accountId: Id,
  uris: readonly string[],
): Promise<void> {
  const { ctx, signal, origin } = refresh;
  const { db } = ctx;
  const wanted = uris.filter((uri) => URL.parse(uri)?.origin === origin).slice(0, MAX_PINNED);
  const pinned = await pinsOf(db, accountId, MAX_PINS_HERE);
  for (const { id, uri } of pinned) {
    if (!wanted.includes(uri)) await unpinRemoteStatus(ctx, { id, accountId });
  }
  for (const uri of wanted.toReversed().filter((one) => !pinned.some((pin) => pin.uri === one))) {
    if (!(await remotePostOf(db, uri, accountId))) {
      const fetcher = new RemoteFetcher({ ...refresh, signal, onAccount: () => undefined });
      await fetcher.find(uri, 0).catch(ignoreRemoteError);
    }
    const post = await remotePostOf(db, uri, accountId);
    if (post?.reblog_of_id === null) {
      await pinRemoteStatus(ctx, { id: post.id, accountId }).catch(unlessInvalid);
    }
  }
}

/** Leaves out a post that cannot be pinned. @throws any other error */
function unlessInvalid(error: unknown): void {
  if (!isRookeryError(error) || error.code !== 'invalid') throw error;
}
