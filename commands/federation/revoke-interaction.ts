import { type InteractionEvent, interactionStream } from '#events/interactions.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import type { ApprovedInteraction } from '#queries/federation/index.ts';
import {
  decideDelete,
  decideUnfavourite,
  decideUnreblog,
  type Interaction,
  interaction,
  type Status,
  status,
  type Target,
} from '../statuses/index.ts';

/** Removes a reply, reblog or favourite that the author of the post no longer approves. */
export async function revokeInteraction(ctx: CommandContext, approved: ApprovedInteraction): Promise<void> {
  const { id, kind, account_id, status_id, status_account_id } = approved;
  if (kind === 'reply') {
    const decide = (state: Status): StatusEvent[] =>
      state.state === 'visible' ? decideDelete(state, account_id) : [];
    await ctx.execute(statusStream(id), status, decide, { step: 'revoke' });
  } else if (status_id !== null && status_account_id !== null) {
    const target = { account_id, status_id, status_account_id };
    await ctx.execute(
      interactionStream(account_id, status_id),
      interaction,
      (state) => decideRevoke(state, target, { id, kind }),
      { step: 'revoke' },
    );
  }
}

/** A reblog or favourite that was undone and repeated stays. Pure. */
export function decideRevoke(
  state: Interaction,
  target: Target,
  { id, kind }: { id: Id; kind: 'like' | 'announce' },
): InteractionEvent[] {
  if (kind === 'like') return state.favourited === id ? decideUnfavourite(state, target, '') : [];
  return state.reblog?.id === id ? decideUnreblog(state, target) : [];
}
