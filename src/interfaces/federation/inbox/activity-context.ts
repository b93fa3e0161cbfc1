import { siteOf } from '../../../../commands/text/registrable-domain.ts';
import {
  followerHere,
  knownPostSeenBy,
  localAccounts,
  postSeenBy,
} from '../../../../queries/federation/index.ts';
import type { KnownActor, PostOfUri } from '../../../../queries/federation/index.ts';
import type { CommandContext, Instance } from '../../../kernel/context.ts';
import type { Id } from '../../../kernel/ids.ts';
import type { RemoteDocument, RemoteDocuments } from '../remote/documents.ts';
import type { RequestSigner } from '../signatures/sign.ts';
import { idOf, isObject, listOf } from '../remote/json.ts';
import { RemoteError, ignoreRefusal } from '../remote/remote-error.ts';
import type { RemoteFetcher } from '../remote/remote-fetcher.ts';
import { MAX_URI, type Activity } from './activity.ts';
import { admitsNewSender } from './new-senders.ts';
import type { InboxTombstones } from './tombstones.ts';

/** One activity and all that carrying it out may use. */
export interface ActivityContext {
  ctx: CommandContext;
  instance: Instance;
  activity: Activity;
  /** What its actor calls the collections of its followers and of its pinned posts; null for none. */
  followers: string | null;
  featured: string | null;
  /** Its actor, where that is known here already. One that is suspended speaks only of itself. */
  known: KnownActor | undefined;
  documents: RemoteDocuments;
  fetcher: RemoteFetcher;
  tombstones: InboxTombstones;
  /** Signs requests in the name of an account of ours. */
  signAs: (account: { id: Id; uri: string }) => Promise<RequestSigner>;
  /** Ends all that is asked of other servers. */
  signal: AbortSignal;
}

/** What is done about one kind of activity. What it throws is judged by `InboxWorker`. */
export type Handler = (work: ActivityContext) => Promise<void>;

/** The account of ours that a property names. */
export async function localAccountIn({ ctx }: ActivityContext, value: unknown): Promise<Id | undefined> {
  const uri = idOf(value);
  return uri === undefined ? undefined : (await localAccounts(ctx.db, [uri]))[0]?.id;
}

/**
 * The account of the actor, made known where it is not. To be asked when it is clear that something here is concerned.
 * @throws RemoteError, FetchError
 */
export async function senderOf({ ctx, known, fetcher, activity }: ActivityContext): Promise<Id> {
  if (known) return known.id;
  if (!(await admitsNewSender(ctx.db, siteOf(new URL(activity.actor).host), ctx.now))) {
    throw new RemoteError('sent for too many new actors today');
  }
  const id = await fetcher.author(activity.actor);
  // Whom people here block by its server is known by its row.
  return id;
}

/**
 * What a property of an activity holds, or names at the origin of its actor: only of what is there, the actor's word is enough
 * (GHSA-jhrq-qvrm-qr36).
 * @throws RemoteError, FetchError
 */
export async function trustedDocument(work: ActivityContext, value: unknown): Promise<RemoteDocument> {
  const { activity, documents } = work;
  const id = idOf(value);
  if (id === undefined || documents.assertForeign(id).origin !== new URL(activity.actor).origin) {
    throw new RemoteError('sent something that is not at its origin');
  }
  return isObject(value) ? { id, document: value } : fetchedAsReader(work, id);
}

/**
 * Asks for what an activity names in the name of an account of ours that it is for, since posts for few are served to their readers alone;
 * where that account gets nothing, in the name of the server. @throws RemoteError, FetchError
 */
async function fetchedAsReader(work: ActivityContext, uri: string): Promise<RemoteDocument> {
  const { documents, signal, signAs } = work;
  const reader = await readerOf(work);
  const forReader = reader && (await documents.get(uri, signal, await signAs(reader)).catch(ignoreRefusal));
  return forReader ?? documents.get(uri, signal);
}

const ADDRESSING = ['to', 'cc', 'audience', 'bto', 'bcc'];
const MAX_ADDRESSED = 1_000;

/** An account of ours that an activity addresses, or else one that follows its actor. */
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
 * The object of the activity. What it holds itself and leaves open, the activity says: by whom, for whom and when, as of a client's.
 * https://www.w3.org/TR/activitypub/#create-activity-outbox
 * @throws RemoteError, FetchError
 */
export async function trustedObject(work: ActivityContext): Promise<RemoteDocument> {
  const { object, actor, document: activity } = work.activity;
  const { id, document } = await trustedDocument(work, object);
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
 * A post of another server that is asked for, as far as an account may see it; `depth` is as in `RemoteFetcher`.
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

/** Remembers that the actor took something of its own back that is not here: it may have been overtaken. */
export async function addTombstone({ activity, tombstones }: ActivityContext, uri: string): Promise<void> {
  if (uri.length > MAX_URI || URL.parse(uri)?.origin !== new URL(activity.actor).origin) return;
  await tombstones.add(activity.actor, uri);
}

/** A post that is known here, as far as an account may see it. */
export const seenPost = (
  { ctx, instance }: ActivityContext,
  uri: string,
  accountId: Id,
): Promise<PostOfUri | undefined> => postSeenBy(ctx.db, instance, uri, accountId);
