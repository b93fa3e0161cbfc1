import { isFollowedHere, knownActor, ownIdIn } from '#queries/federation/index.ts';
import { idOf, isObject, listOf } from '../remote/json.ts';
import { isPost } from '../remote/post.ts';
import { type Activity, activityOf } from './activity.ts';
import type { ActivityContext, Handler } from './activity-context.ts';
import { announce } from './interactions.ts';
import { handleForwarded } from './posts.ts';
import { announcedByRelay } from './relays.ts';

/**
 * Handles `Announce`. Announced posts are reblogged, and so is the post of an announced `Create`, unless it is a reply. Other announced
 * activities (FEP-1b12) are no reblogs: followers of a group do not want every reply and vote in their home timeline.
 * https://w3id.org/fep/1b12
 */
export const announced: Handler = async (context) => {
  if (await announcedByRelay(context)) return;
  const { activity } = context;
  const { object } = activity;
  if (!isObject(object) || isPost({ id: idOf(object) ?? '', document: object })) return announce(context);
  const relayed = activityOf(JSON.stringify(object));
  const created = createdIn(relayed);
  await (created === undefined
    ? handleRelayedByGroup(context, relayed)
    : announce({ ...context, activity: { ...activity, object: created } }));
};

/**
 * Returns the URI of the post that an activity creates at the origin of its actor; undefined for a reply and for any other activity.
 * Nothing else of the embedded post is used: it is fetched from its server.
 */
function createdIn({ type, actor, object }: Activity): string | undefined {
  const uri = idOf(object);
  const isReply = isObject(object) && listOf(object['inReplyTo'], 1).length > 0;
  if (type !== 'Create' || uri === undefined || isReply) return undefined;
  return URL.parse(uri)?.origin === new URL(actor).origin ? uri : undefined;
}

/** Handles posts that a followed group relays: replies in known threads, and changes of known posts. */
async function handleRelayedByGroup(context: ActivityContext, activity: Activity): Promise<void> {
  const { ctx, known: group, instance } = context;
  if (!group || !(await isFollowedHere(ctx.db, group.id))) return;
  const isOurs = ownIdIn(idOf(activity.object) ?? '', instance) !== null;
  const known = await knownActor(ctx.db, activity.actor);
  if (!isOurs && !known?.suspended) await handleForwarded({ ...context, activity, known });
}
