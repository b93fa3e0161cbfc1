import { siteOf } from '#commands/text/registrable-domain.ts';
import type { CommandContext, Instance } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import type { KnownActor, PostOfUri } from '#queries/federation/index.ts';
import { followerHere, knownPostSeenBy, localAccounts, postSeenBy } from '#queries/federation/index.ts';
import type { RemoteDocument, RemoteDocuments } from '../remote/documents.ts';
import { idOf, isObject, listOf } from '../remote/json.ts';
import { ignoreRefusal, RemoteError } from '../remote/remote-error.ts';
import type { RemoteFetcher } from '../remote/remote-fetcher.ts';
import type { RequestSigner } from '../signatures/sign.ts';
import { type Activity, MAX_URI } from './activity.ts';
import { admitsNewSender } from './new-senders.ts';
import type { InboxTombstones } from './tombstones.ts';

/** One activity, with everything its handler may use. */
export interface ActivityContext {
  ctx: CommandContext;
  instance: Instance;
  activity: Activity;
  /** The actor's collections of followers and of pinned posts; null for none. */
  followers: string | null;
  featured: string | null;
  /** The actor, if known here. A suspended one may only change itself. */
  known: KnownActor | undefined;
  documents: RemoteDocuments;
  fetcher: RemoteFetcher;
  tombstones: InboxTombstones;
  /** Signs requests in the name of a local account. */
  signAs: (account: { id: Id; uri: string }) => Promise<RequestSigner>;
  /** Aborts all requests to other servers. */
  signal: AbortSignal;
}

/** Handles one kind of activity. `InboxWorker` decides about its errors. */
export type Handler = (context: ActivityContext) => Promise<void>;

/** Returns the local account that a property names. */
export async function localAccountIn({ ctx }: ActivityContext, value: unknown): Promise<Id | undefined> {
  const uri = idOf(value);
  return uri === undefined ? undefined : (await localAccounts(ctx.db, [uri]))[0]?.id;
}

/**
 * Returns the account of the actor and stores it if it is unknown. Call it only when the activity is known to
 * concern this server. @throws RemoteError, FetchError
 */
export async function senderOf({ ctx, known, fetcher, activity }: ActivityContext): Promise<Id> {
  if (known) return known.id;
  if (!(await admitsNewSender(ctx.db, siteOf(new URL(activity.actor).host), ctx.now))) {
    throw new RemoteError('sent for too many new actors today');
  }
  const id = await fetcher.author(activity.actor);
  // Blocks of the sender's server need the account's row.
  return id;
}

/**
 * Returns the document in a property of an activity, or the one that it names at the actor's origin: the
 * actor is trusted only about documents of its own origin (GHSA-jhrq-qvrm-qr36). @throws RemoteError,
 * FetchError
 */
export async function trustedDocument(context: ActivityContext, value: unknown): Promise<RemoteDocument> {
  const { activity, documents } = context;
  const id = idOf(value);
  if (id === undefined || documents.assertForeign(id).origin !== new URL(activity.actor).origin) {
    throw new RemoteError('sent something that is not at its origin');
  }
  return isObject(value) ? { id, document: value } : fetchedAsReader(context, id);
}

/**
 * Fetches a named document in the name of a local account that the activity addresses, because non-public
 * posts are served to their recipients only; if that fails, in the name of the server. @throws RemoteError,
 * FetchError
 */
async function fetchedAsReader(context: ActivityContext, uri: string): Promise<RemoteDocument> {
  const { documents, signal, signAs } = context;
  const reader = await readerOf(context);
  const forReader = reader && (await documents.get(uri, signal, await signAs(reader)).catch(ignoreRefusal));
  return forReader ?? documents.get(uri, signal);
}

const ADDRESSING = ['to', 'cc', 'audience', 'bto', 'bcc'];
const MAX_ADDRESSED = 1_000;

/** Returns a local account that an activity addresses, or one that follows its actor. */
async function readerOf({
  ctx,
  activity,
  known,
}: ActivityContext): Promise<{ id: Id; uri: string } | undefined> {
  const addressed = ADDRESSING.flatMap((name) => listOf(activity.document[name], MAX_ADDRESSED)).flatMap(
    (one) => idOf(one) ?? [],
  );
  const [reader] = await localAccounts(ctx.db, addressed.slice(0, MAX_ADDRESSED));
  return reader ?? (known && followerHere(ctx.db, known.id));
}

/**
 * Returns the object of the activity. Author, audience and date missing from the object are taken from the
 * activity. https://www.w3.org/TR/activitypub/#create-activity-outbox
 * @throws RemoteError, FetchError
 */
export async function trustedObject(context: ActivityContext): Promise<RemoteDocument> {
  const { object, actor, document: activity } = context.activity;
  const { id, document } = await trustedDocument(context, object);
  if (!isObject(object)) return { id, document };
  const isAddressed = document['to'] != null || document['cc'] != null;
  return {
    id,
    document: {
      ...document,
      attributedTo: document['attributedTo'] ?? actor,
      published: document['published'] ?? activity['published'],
      ...(isAddressed ? {} : { to: activity['to'], cc: activity['cc'] }),
    },
  };
}

/**
 * Fetches a post of another server and returns it if the account may see it. `depth` is as in
 * `RemoteFetcher`.
 * @throws RemoteError, FetchError
 */
export async function fetchedPost(
  { ctx, fetcher }: ActivityContext,
  uri: string,
  accountId: Id,
  depth?: number,
): Promise<PostOfUri | undefined> {
  const found = await fetcher.find(uri, depth);
  return found?.status === undefined ? undefined : knownPostSeenBy(ctx.db, found.status, accountId);
}

/**
 * Records that the actor withdrew something that has not arrived yet, since the two may arrive in the wrong
 * order.
 */
export async function addTombstone({ activity, tombstones }: ActivityContext, uri: string): Promise<void> {
  if (uri.length > MAX_URI || URL.parse(uri)?.origin !== new URL(activity.actor).origin) return;
  await tombstones.add(activity.actor, uri);
}

/** Returns a stored post if the account may see it. */
export const seenPost = (
  { ctx, instance }: ActivityContext,
  uri: string,
  accountId: Id,
): Promise<PostOfUri | undefined> => postSeenBy(ctx.db, instance, uri, accountId);
