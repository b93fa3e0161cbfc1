import {
  unblockFromElsewhere,
  unfavouriteFromElsewhere,
  unfollowFromElsewhere,
} from '../../../commands/federation/index.ts';
import { actOfUri, followeeOf } from '../../../queries/federation/index.ts';
import type { Id } from '../../kernel/ids.ts';
import { idOf, isObject, typesOf, type Foreign } from '../remote/json.ts';
import { undoBlock, undoFollow } from './follows.ts';
import { undoAnnounce, undoLike, undoReblogNamed } from './interactions.ts';
import type { Handler, Work } from './work.ts';

const UNDONE: ReadonlyMap<string, (work: Work, senderId: Id, undone: Foreign) => Promise<void>> = new Map([
  ['Announce', undoAnnounce],
  ['Block', undoBlock],
  ['Follow', undoFollow],
  ['Like', undoLike],
]);

/** Takes back what the sender did, and nothing that somebody else did. https://www.w3.org/TR/activitypub/#undo-activity-inbox */
export const undo: Handler = async (work) => {
  const { known, activity } = work;
  const { object, actor } = activity;
  if (!known) return;
  if (!isObject(object)) {
    await undoNamed(work, known.id, idOf(object));
    return;
  }
  if ((idOf(object['actor']) ?? actor) !== actor) return;
  const undoOne = typesOf(object)
    .map((type) => UNDONE.get(type))
    .find(Boolean);
  await undoOne?.(work, known.id, object);
};

/** Some servers say only what they call it. */
async function undoNamed(work: Work, account_id: Id, uri: string | undefined): Promise<void> {
  if (uri === undefined || (await undoReblogNamed(work, account_id, uri))) return;
  const { ctx } = work;
  const [followee, act] = await Promise.all([
    followeeOf(ctx.db, uri, account_id),
    actOfUri(ctx.db, uri, account_id),
  ]);
  if (followee !== undefined) {
    await unfollowFromElsewhere(ctx, { account_id, target_account_id: followee });
  } else if (act?.kind === 'block') {
    await unblockFromElsewhere(ctx, { account_id, target_account_id: act.target_account_id });
  } else if (act) {
    const { status_id, status_account_id } = act;
    await unfavouriteFromElsewhere(ctx, { account_id, status_id, status_account_id });
  }
}
