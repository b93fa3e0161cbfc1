import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import { reattachMedia, releaseMedia } from '../media/index.ts';

/** The uploads of a post, and those that each edit dropped. */
export interface PostMedia {
  accountId: string;
  deleted: boolean;
  now: readonly string[];
  dropped: ReadonlyMap<string, readonly string[]>;
}

export const postMedia: Decider<PostMedia, StatusEvent> = {
  initialState: { accountId: '', deleted: false, now: [], dropped: new Map() },
  evolve(state, event) {
    switch (event.type) {
      case 'ReplyRequested':
      case 'StatusCreated':
        return { ...state, accountId: event.data.account_id, now: idsOf(event.data) };
      case 'StatusEdited': {
        const now = idsOf(event.data);
        const gone = state.now.filter((id) => !now.includes(id));
        return { ...state, now, dropped: new Map([...state.dropped, [event.data.edit_id, gone]]) };
      }
      case 'ReplyRequestEnded':
      case 'StatusDeleted':
        return { ...state, deleted: true };
      default:
        return state;
    }
  },
};

/**
 * Synchronises the uploads with their post after an edit (`editId`) or its deletion: releases dropped ones,
 * attaches its own. Two concurrent edits could otherwise release one that the later edit keeps. May run
 * again.
 */
export async function attachOrReleaseMedia(
  ctx: CommandContext,
  statusId: string,
  editId?: string,
): Promise<void> {
  const state = await ctx.load(statusStream(statusId), postMedia);
  const { accountId, deleted, now } = state;
  if (deleted) await releaseMedia(ctx, now, statusId);
  if (editId === undefined) return;
  const gone = (state.dropped.get(editId) ?? []).filter((id) => deleted || !now.includes(id));
  await releaseMedia(ctx, gone, statusId);
  if (!deleted) await reattachMedia(ctx, now, { accountId, statusId });
}

/** Returns all uploads that a post ever had, including dropped ones. */
export async function mediaEverOf(ctx: CommandContext, statusId: string): Promise<string[]> {
  const { now, dropped } = await ctx.load(statusStream(statusId), postMedia);
  return [...new Set([...now, ...[...dropped.values()].flat()])];
}

const idsOf = ({ media }: { media: readonly { id: string }[] }): string[] => media.map(({ id }) => id);
