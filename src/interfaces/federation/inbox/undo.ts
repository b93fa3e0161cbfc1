import { undoRemoteBlock, undoRemoteFavourite, undoRemoteFollow } from '#commands/federation/index.ts';
import type { Id } from '#kernel/ids.ts';
import { actOfUri, followeeOf } from '#queries/federation/index.ts';
import { type Foreign, idOf, isObject, typesOf } from '../remote/json.ts';
import { type ActivityContext, addTombstone, type Handler } from './activity-context.ts';
import { undoAccept, undoBlock, undoFollow } from './follows.ts';
import { undoAnnounce, undoLike, undoReblogNamed } from './interactions.ts';

type UndoOne = (context: ActivityContext, senderId: Id, undone: Foreign) => Promise<boolean>;

const UNDONE: ReadonlyMap<string, UndoOne> = new Map([
  ['Accept', undoAccept],
  ['Announce', undoAnnounce],
  ['Block', undoBlock],
  // Found by its id alone, because the account may have favourited the post as well.
  ['EmojiReact', () => Promise.resolve(false)],
  ['Follow', undoFollow],
  ['Like', undoLike],
]);

/**
 * Undoes an act of the sender, never of another actor. An unknown act may have been overtaken: it is refused
 * when it arrives. https://www.w3.org/TR/activitypub/#undo-activity-inbox
 */
export const undo: Handler = async (context) => {
  const { object, actor } = context.activity;
  const uri = idOf(object);
  if (!isObject(object)) {
    if (uri !== undefined) await undoNamed(context, uri);
    return;
  }
  if ((idOf(object['actor']) ?? actor) !== actor) return;
  const undoOne = typesOf(object)
    .map((type) => UNDONE.get(type))
    .find(Boolean);
  if (!undoOne) return;
  const wasThere = context.known !== undefined && (await undoOne(context, context.known.id, object));
  // Without an id it could not be told from the next one of its type.
  if (!wasThere && uri !== undefined) await undoNamed(context, uri);
};

/** Runs the handler unless the activity was undone before it arrived. */
export const unlessUndone =
  (handler: Handler): Handler =>
  async (context) => {
    const { actor, id } = context.activity;
    if (id === null || !(await context.tombstones.consume(actor, id))) await handler(context);
  };

/**
 * Undoes an activity that is named only by its id. Some servers use one id for all follows of a pair, so a
 * tombstone is added if no activity with this id is known.
 */
async function undoNamed(context: ActivityContext, uri: string): Promise<void> {
  const { ctx, known } = context;
  if (!known) return addTombstone(context, uri);
  const account_id = known.id;
  if (await undoReblogNamed(context, account_id, uri)) return;
  const [followee, act] = await Promise.all([
    followeeOf(ctx.db, uri, account_id),
    actOfUri(ctx.db, uri, account_id),
  ]);
  if (followee !== undefined) {
    await undoRemoteFollow(ctx, { account_id, target_account_id: followee, uri });
  } else if (act?.kind === 'block') {
    await undoRemoteBlock(ctx, { account_id, target_account_id: act.target_account_id });
  } else if (act) {
    const { status_id, status_account_id } = act;
    await undoRemoteFavourite(ctx, { account_id, status_id, status_account_id });
  } else {
    await addTombstone(context, uri);
  }
}
