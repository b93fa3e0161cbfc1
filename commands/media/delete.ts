import { z } from 'zod';
import { type MediaEvent, mediaStream } from '#events/media.ts';
import type { CommandContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { mediaInEvidence } from '#queries/reports/index.ts';
import { filesOf, removeFiles } from './files.ts';
import { type Media, media, requireOwn } from './media.ts';

/** https://docs.joinmastodon.org/methods/media/#delete */
export const deleteMedia = endpoint({
  method: 'DELETE',
  path: '/api/v1/media/:id',
  summary: 'Delete media that is not attached to a status',
  auth: 'user',
  scopes: ['write:media'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    const held = await mediaInEvidence(ctx.db, [id], ctx.now);
    await removeMedia(ctx, id, (state) => {
      const events = decideDelete(state, ctx.viewer.account_id);
      // The owner does not learn that the upload was reported: it is removed once no decision needs it any
      // longer.
      return held.has(id) ? [] : events;
    });
    return { json: {} };
  },
});

/** Removes an upload without a status; does nothing when a status uses it again, or when it is deleted. */
export const removeUnattached = (ctx: CommandContext, id: string): Promise<void> =>
  removeMedia(ctx, id, decideRemoveUnattached);

/**
 * Removes an upload of an erased user, even if it is in use or was reported. The files go first: after a
 * crash, a removed upload would no longer lead to them.
 */
export async function eraseMedia(ctx: CommandContext, id: string): Promise<void> {
  const state = await ctx.load(mediaStream(id), media);
  if (state.state === 'none' || state.state === 'deleted') return;
  await removeFiles(ctx.services, filesOf(state));
  await ctx.execute(mediaStream(id), media, decideErase, { step: 'erase' });
}

/** Removes an upload with its files, if the decision says so. */
async function removeMedia(
  ctx: CommandContext,
  id: string,
  decide: (state: Media) => readonly MediaEvent[],
): Promise<void> {
  let places: (string | null)[] = [];
  const { events } = await ctx.execute(
    mediaStream(id),
    media,
    (state) => {
      places = state.state === 'none' || state.state === 'deleted' ? [] : filesOf(state);
      return decide(state);
    },
    { step: `remove ${id}` },
  );
  if (events.length > 0) await removeFiles(ctx.services, places);
}

/** Pure. @throws RookeryError `not_found` when it is not the account's, `invalid` while a status uses it */
export function decideDelete(state: Media, accountId: string): MediaEvent[] {
  const { attachment, statusId } = requireOwn(state, accountId);
  if (statusId !== null) throw invalid('Media attachment is currently used by a status');
  return [{ type: 'MediaDeleted', data: { id: attachment.id, account_id: accountId } }];
}

/** Pure. */
export function decideRemoveUnattached(state: Media): MediaEvent[] {
  return 'statusId' in state && state.statusId !== null ? [] : decideErase(state);
}

/** Pure. */
export function decideErase(state: Media): MediaEvent[] {
  if (state.state === 'none' || state.state === 'deleted') return [];
  return [{ type: 'MediaDeleted', data: { id: state.attachment.id, account_id: state.accountId } }];
}
