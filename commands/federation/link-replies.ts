import { interactionStream } from '#events/interactions.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import {
  approverOf,
  isBelow,
  knownPostSeenBy,
  type PostOfUri,
  postSeenBy,
  repliesAwaiting,
  threadMuters,
} from '#queries/federation/index.ts';
import { decideDelete, decideMuteThread, interaction, type Status, status } from '../statuses/index.ts';

/** A remote post that has just become known. */
export interface Arrived {
  id: Id;
  account_id: Id;
  uri: string;
  url: string | null;
  /** The URI of the post that it replies to, if that was unknown on its arrival. */
  in_reply_to_uri?: string | undefined;
}

/**
 * Links a post with the post that it replies to, if that has arrived meanwhile, and with earlier replies to
 * it. One call at a time, with current read models: two concurrent calls could create a cycle. May run again:
 * it links the rest.
 */
export async function linkReplies(ctx: CommandContext, arrived: Arrived, signal: AbortSignal): Promise<void> {
  const { in_reply_to_uri: awaited } = arrived;
  if (awaited !== undefined) {
    const parent = await postSeenBy(ctx.db, ctx.instance, awaited, arrived.account_id);
    if (parent) await link(ctx, arrived, { parent, names: [awaited] }, signal);
  }
  const names = namesOf(arrived);
  await forEachBelow(
    (before, limit) => repliesAwaiting(ctx.db, names, before, limit),
    async (reply) => {
      const parent = await knownPostSeenBy(ctx.db, arrived.id, reply.account_id);
      if (parent) await link(ctx, reply, { parent, names }, signal);
    },
    { signal },
  );
}

/**
 * Returns the URIs by which others may know a post. The address of its page counts if it has the same origin
 * as its URI.
 */
function namesOf({ uri, url }: Arrived): string[] {
  const isOwn = url !== null && URL.parse(url)?.origin === URL.parse(uri)?.origin;
  return isOwn && url !== uri ? [uri, url] : [uri];
}

interface Link {
  /** A post that the author of the reply may see. */
  parent: PostOfUri;
  /** The URIs by which the reply may know it. */
  names: readonly string[];
}

async function link(
  ctx: CommandContext,
  reply: { id: Id; account_id: Id },
  { parent, names }: Link,
  signal: AbortSignal,
): Promise<void> {
  if (await isBelow(ctx.db, parent.id, reply.id)) return;
  const approver = await approverOf(ctx.db, 'reply', parent, reply.account_id);
  const linkId = ctx.newId();
  const { state } = await ctx.execute(
    statusStream(reply.id),
    status,
    (now) => decideLinkReply(now, { parent, names, linkId, approver }),
    { step: 'link-reply' },
  );
  const isJoined =
    state.state === 'visible' &&
    state.data.in_reply_to_id === parent.id &&
    state.data.conversation_id === parent.conversation_id;
  if (isJoined) await carryMutes(ctx, reply.id, parent.conversation_id, signal);
}

/**
 * A direct post keeps its thread, which is its readers' conversation. A reply without the required approval
 * of `approver`, the author of the parent, is deleted. Pure.
 */
export function decideLinkReply(
  state: Status,
  { parent, names, linkId, approver }: Link & { linkId: Id; approver: string | null },
): StatusEvent[] {
  if (state.state !== 'visible' || state.inReplyToUri === null || !names.includes(state.inReplyToUri))
    return [];
  const { id, account_id, visibility, language, conversation_id } = state.data;
  if (approver !== null && state.replyAuthorizedBy !== approver) return decideDelete(state, account_id);
  return [
    {
      type: 'ReplyLinked',
      data: {
        id,
        account_id,
        visibility,
        language,
        link_id: linkId,
        in_reply_to_id: parent.id,
        in_reply_to_account_id: parent.account_id,
        conversation_id: visibility === 'direct' ? conversation_id : parent.conversation_id,
      },
    },
  ];
}

/** A user who muted a thread has muted the thread that it turns out to be a part of. */
async function carryMutes(ctx: CommandContext, from: Id, to: Id, signal: AbortSignal): Promise<void> {
  await forEachBelow(
    (before, limit) => threadMuters(ctx.db, from, before, limit),
    ({ id: account_id }) =>
      ctx.execute(interactionStream(account_id, to), interaction, (state) =>
        decideMuteThread(state, { account_id, conversation_id: to }),
      ),
    { signal },
  );
}
