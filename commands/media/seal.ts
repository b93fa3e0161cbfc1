import { type MediaEvent, mediaStream } from '#events/media.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { filesOf, removeFiles } from './files.ts';
import { type Media, media } from './media.ts';

/** The post that staff removed, and the reason. */
export interface Removal {
  statusId: Id;
  strikeId: Id;
}

/** Keys of the media store; null for none. */
interface MediaPlaces {
  file: string | null;
  preview: string | null;
}

/**
 * Moves the files of an upload to secret addresses, and takes the upload from its owner. The former addresses
 * serve nothing from then on. A repeat produces the same files and finds nothing left to do.
 */
export async function sealMedia(ctx: CommandContext, id: Id, removal: Removal): Promise<void> {
  const state = await ctx.load(mediaStream(id), media);
  if (state.state === 'none' || state.state === 'deleted' || state.sealedBy !== null) return;
  const former = filesOf(state);
  const { file, preview } = state.attachment;
  const owner = `sealed ${removal.strikeId}`;
  const places = { file: await copied(ctx, file, owner), preview: await copied(ctx, preview, owner) };
  const { events } = await ctx.execute(
    mediaStream(id),
    media,
    (before) => decideSeal(before, { file, preview }, places, removal),
    { step: `seal ${id}` },
  );
  if (events.length === 0) return;
  // The original upload stays for the job that renders it.
  await removeFiles(
    ctx.services,
    former.filter((place) => place !== state.source),
  );
}

/** Returns the key of the copy, or null without a stored file. */
async function copied(
  { services }: CommandContext,
  place: string | null,
  owner: string,
): Promise<string | null> {
  if (place === null || /^https?:/.test(place)) return place;
  return services.media.copy(place, owner).catch((error: unknown) => {
    if (isRookeryError(error) && error.code === 'not_found') return null;
    throw error;
  });
}

/** Decides nothing when its files changed after `former` was read. Pure. */
export function decideSeal(
  state: Media,
  former: MediaPlaces,
  places: MediaPlaces,
  { statusId, strikeId }: Removal,
): MediaEvent[] {
  if (state.state === 'none' || state.state === 'deleted' || state.sealedBy !== null) return [];
  const { id, file, preview } = state.attachment;
  if (file !== former.file || preview !== former.preview) return [];
  const data = { id, account_id: state.accountId, status_id: statusId, strike_id: strikeId };
  return [{ type: 'MediaSealed', data: { ...data, ...places, former } }];
}
