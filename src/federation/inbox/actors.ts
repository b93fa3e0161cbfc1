import {
  moveRemoteAccount,
  pinRemoteStatus,
  rememberAccount,
  removeRemoteAccount,
  unpinRemoteStatus,
} from '../../../commands/federation/index.ts';
import { isFollowedHere, remotePostOf, type KnownActor } from '../../../queries/federation/index.ts';
import { accountOf, isActor } from '../remote/actor.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, listOf } from '../remote/json.ts';
import { Refusal } from '../remote/refusal.ts';
import type { Handler, Work } from './work.ts';

/**
 * What an actor says of itself from now on. Its own word is enough for that, but not for another name: then its server is asked.
 * @throws Refusal, FetchError
 */
export async function updateActor(work: Work, known: KnownActor, remote: RemoteDocument): Promise<void> {
  const { ctx, activity, documents, search, signal } = work;
  if (remote.id !== activity.actor) throw new Refusal('sent the profile of somebody else');
  const account = accountOf(remote, known.domain, ctx.now);
  if (account.username.toLowerCase() === known.username.toLowerCase()) await rememberAccount(ctx, account);
  else await search.account(await documents.get(remote.id, signal));
}

/** An actor whose deletion is not signed by a key that can be had: its own server is asked whether it is so. */
export const ended: Handler = async ({ ctx, known, activity, documents, signal }) => {
  if (known && (await documents.isGone(activity.actor, signal))) await removeRemoteAccount(ctx, known.id);
};

const MAX_ALIASES = 100;

/** The account that an actor goes on as must name the old one. https://docs.joinmastodon.org/spec/activitypub/#Move */
export const move: Handler = async ({ ctx, known, activity, documents, search, signal }) => {
  const { actor, object, document } = activity;
  const target = idOf(document['target']);
  if (!known || idOf(object) !== actor || target === undefined) return;
  const remote = await documents.get(target, signal);
  const aliases = listOf(remote.document['alsoKnownAs'], MAX_ALIASES).map(idOf);
  const hasMoved = remote.document['movedTo'] != null;
  if (!isActor(remote) || remote.id !== target || !aliases.includes(actor) || hasMoved) {
    throw new Refusal('moves to an account that is not the same one');
  }
  await moveRemoteAccount(ctx, known.id, await search.account(remote));
};

/** `Add` and `Remove` of an actor's own pinned posts. https://docs.joinmastodon.org/spec/activitypub/#Add */
export const pin =
  (change: 'add' | 'remove'): Handler =>
  async ({ ctx, known, activity, featured, documents, search }) => {
    const uri = idOf(activity.object);
    const isFeatured = featured !== null && idOf(activity.document['target']) === featured;
    if (!known || uri === undefined || !isFeatured) return;
    const mayAsk = change === 'add' && (await isFollowedHere(ctx.db, known.id));
    const before = await remotePostOf(ctx.db, uri, known.id);
    if (!before && mayAsk && documents.assertForeign(uri).origin === new URL(activity.actor).origin) {
      await search.find(uri);
    }
    const post = before ?? (mayAsk ? await remotePostOf(ctx.db, uri, known.id) : undefined);
    if (!post || post.reblog_of_id !== null) return;
    const own = { id: post.id, accountId: known.id };
    await (change === 'add' ? pinRemoteStatus(ctx, own) : unpinRemoteStatus(ctx, own));
  };
