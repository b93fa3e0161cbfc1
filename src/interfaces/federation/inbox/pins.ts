import {
  CAUSED_THERE,
  featureRemoteTag,
  pinRemoteStatus,
  refreshProfileLater,
  unfeatureRemoteTag,
  unpinRemoteStatus,
} from '#commands/federation/index.ts';
import { changedAnything } from '#commands/use-case.ts';
import type { Id } from '#kernel/ids.ts';
import type { TagName } from '#mastodon/tag-name.ts';
import { isFollowedHere, remotePostOf } from '#queries/federation/index.ts';
import { wholeCollection } from '../remote/collection.ts';
import { idOf } from '../remote/json.ts';
import { hashtagOf } from '../remote/tags.ts';
import { MAX_URI } from './activity.ts';
import type { ActivityContext, Handler } from './activity-context.ts';
import { collectionActivity } from './featured-collections.ts';

/**
 * Handles `Add` and `Remove` of an actor's own pinned posts. Nothing in them tells which is newer. An
 * activity that changes nothing may have overtaken its opposite, so it is recorded; when the opposite
 * arrives, the collection decides. https://docs.joinmastodon.org/spec/activitypub/#Add
 */
export const pin =
  (change: 'Add' | 'Remove'): Handler =>
  async (context) => {
    const { known, activity, featured, tombstones, documents } = context;
    if (await collectionActivity(context, change)) return;
    const hashtag = hashtagOf(activity.object);
    if (hashtag) return changeTag(context, change, hashtag);
    const uri = idOf(activity.object);
    if (!known || uri === undefined || uri.length > MAX_URI) return;
    if (featured === null || idOf(activity.document['target']) !== featured) return;
    if (documents.assertForeign(uri).origin !== new URL(activity.actor).origin) return;
    const opposite = change === 'Add' ? 'Remove' : 'Add';
    const mayBeOld = await tombstones.consume(activity.actor, `${opposite} ${uri}`);
    const isOld = mayBeOld && (await isPinned(context, featured, uri)) === (change === 'Remove');
    if (isOld) return;
    const isNews = await (change === 'Add'
      ? pinned(context, known.id, uri)
      : unpinned(context, known.id, uri));
    if (!isNews) await tombstones.add(activity.actor, `${change} ${uri}`);
  };

/**
 * Handles `Add` and `Remove` of a hashtag on an actor's profile. Mastodon names the collection of pinned
 * posts as the target. If the target is another one, or the activity may be outdated, the tags are fetched
 * from the actor's server.
 */
async function changeTag(context: ActivityContext, change: 'Add' | 'Remove', tag: TagName): Promise<void> {
  const { ctx, known, activity, featured, tombstones } = context;
  const target = idOf(activity.document['target']);
  const { origin } = new URL(activity.actor);
  if (!known || target === undefined || URL.parse(target)?.origin !== origin) return;
  const opposite = change === 'Add' ? 'Remove' : 'Add';
  if (target !== featured || (await tombstones.consume(activity.actor, `${opposite} #${tag.normal}`))) {
    return refreshProfileLater(ctx, { accountId: known.id, uri: activity.actor, after: CAUSED_THERE });
  }
  const isNews = await (change === 'Add'
    ? featureRemoteTag(ctx, known.id, tag)
    : unfeatureRemoteTag(ctx, known.id, tag));
  if (!isNews) await tombstones.add(activity.actor, `${change} #${tag.normal}`);
}

/** Returns whether the post was newly pinned. */
async function pinned({ ctx, fetcher }: ActivityContext, accountId: Id, uri: string): Promise<boolean> {
  const mayAsk = await isFollowedHere(ctx.db, accountId);
  const before = await remotePostOf(ctx.db, uri, accountId);
  if (!before && mayAsk) await fetcher.find(uri);
  const post = before ?? (mayAsk ? await remotePostOf(ctx.db, uri, accountId) : undefined);
  return post?.reblog_of_id === null && changedAnything(pinRemoteStatus(ctx, { id: post.id, accountId }));
}

/** Returns whether the post was pinned before. */
async function unpinned({ ctx }: ActivityContext, accountId: Id, uri: string): Promise<boolean> {
  const post = await remotePostOf(ctx.db, uri, accountId);
  return post?.reblog_of_id === null && changedAnything(unpinRemoteStatus(ctx, { id: post.id, accountId }));
}

/** Returns whether the post is pinned now; undefined if the author's server does not tell. */
async function isPinned(
  { documents, signal }: ActivityContext,
  featured: string,
  uri: string,
): Promise<boolean | undefined> {
  const reading = { documents, origin: new URL(featured).origin, signal, read: idOf };
  return (await wholeCollection(reading, featured))?.includes(uri);
}
