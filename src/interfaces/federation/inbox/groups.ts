import { isFollowedHere, knownActor, ownIdIn } from '../../../../queries/federation/index.ts';
import { idOf, isObject } from '../remote/json.ts';
import { isPost } from '../remote/post.ts';
import { activityOf } from './activity.ts';
import { announce } from './interactions.ts';
import { handleForwarded } from './posts.ts';
import { announcedByRelay } from './relays.ts';
import type { Handler, ActivityContext } from './activity-context.ts';

/**
 * Handles `Announce`. A group announces posts, which reblogs them, and activities of other actors (FEP-1b12),
 * which does not: followers of a group do not want every reply and vote in their home timeline.
 * https://w3id.org/fep/1b12
 */
export const announced: Handler = async (context) => {
  if (await announcedByRelay(context)) return;
  const { object } = context.activity;
  const isAct = isObject(object) && !isPost({ id: idOf(object) ?? '', document: object });
  await (isAct ? handleRelayedByGroup(context, JSON.stringify(object)) : announce(context));
};

/** Handles posts that a followed group relays: replies in known threads, and changes of known posts. */
async function handleRelayedByGroup(context: ActivityContext, text: string): Promise<void> {
  const { ctx, known: group, instance } = context;
  if (!group || !(await isFollowedHere(ctx.db, group.id))) return;
  const activity = activityOf(text);
  const isOurs = ownIdIn(idOf(activity.object) ?? '', instance) !== null;
  const known = await knownActor(ctx.db, activity.actor);
  if (!isOurs && !known?.suspended) await handleForwarded({ ...context, activity, known });
}
