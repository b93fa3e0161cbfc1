import { type MediaEvent, mediaStream } from '#events/media.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { type ExistingMedia, type Media, media } from './media.ts';

type OwnerContext = CommandContext & { viewer: Pick<UserContext['viewer'], 'account_id'> };

/**
 * Attaches uploads to a status, all or none; those that it has already stay. `from` is a scheduled status
 * that they may come from. `check` sees them before any is attached; what it throws leaves them as they were.
 * A stop leaves uploads attached to a status that may never come: a request with the same id takes them, or a
 * job releases them a day later.
 * The errors are Mastodon's.
 * @returns the attachments, in the order of the ids
 * @throws RookeryError `invalid`
 */
export async function claimMedia(
  ctx: OwnerContext,
  ids: readonly string[],
  statusId: string,
  { from, check }: { from?: string; check?: (attachments: MediaAttachmentData[]) => void } = {},
): Promise<MediaAttachmentData[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length > MEDIA_LIMITS.perStatus) {
    throw invalid(`Cannot attach more than ${MEDIA_LIMITS.perStatus} files`);
  }
  const claim: Claim = { accountId: ctx.viewer.account_id, statusId, from };
  const states = await Promise.all(wanted.map((id) => ctx.load(mediaStream(id), media)));
  const found = requireClaimable(wanted, states, claim);
  const attachments = found.map(({ attachment }) => attachment);
  check?.(attachments);
  const outcomes = await Promise.allSettled(
    wanted.map((id) =>
      ctx.execute(mediaStream(id), media, (state) => decideAttach(id, state, claim), {
        step: `attach ${id} to ${statusId}`,
      }),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    // Another request attached one of them first: releases the others.
    const fresh = wanted.filter((_, index) => found[index]?.statusId !== statusId);
    await releaseMedia(ctx, fresh, statusId);
    throw failed.reason;
  }
  return attachments;
}

/**
 * Attaches uploads again that a status uses but that were released; deleted ones, and those of other
 * statuses, stay as they are.
 */
export async function reattachMedia(
  ctx: CommandContext,
  ids: readonly string[],
  { accountId, statusId }: Claim,
): Promise<void> {
  await Promise.all(
    ids.map((id) =>
      ctx.execute(mediaStream(id), media, (state) => decideReattach(id, state, { accountId, statusId }), {
        step: `reattach ${id} to ${statusId}`,
      }),
    ),
  );
}

/**
 * Releases uploads from a status, which may be deleted. They are removed after a day unless they are attached
 * again. May run again: a stop leaves the rest attached.
 */
export async function releaseMedia(
  ctx: CommandContext,
  ids: readonly string[],
  statusId: string,
): Promise<void> {
  await Promise.all(
    ids.map((id) =>
      ctx.execute(mediaStream(id), media, (state) => decideDetach(id, state, statusId), {
        step: `detach ${id} from ${statusId}`,
      }),
    ),
  );
}

export interface Claim {
  accountId: string;
  statusId: string;
  from?: string | undefined;
}

/** Attaches once, however often it is called. Pure. @throws RookeryError `invalid` */
export function decideAttach(id: string, state: Media, claim: Claim): MediaEvent[] {
  const [own] = requireClaimable([id], [state], claim);
  return own?.statusId === claim.statusId
    ? []
    : [{ type: 'MediaAttached', data: { id, status_id: claim.statusId } }];
}

/** Pure. */
export function decideReattach(id: string, state: Media, { accountId, statusId }: Claim): MediaEvent[] {
  const unused = state.state === 'processed' && state.statusId === null && state.sealedBy === null;
  const free = unused && state.accountId === accountId;
  return free ? [{ type: 'MediaAttached', data: { id, status_id: statusId } }] : [];
}

/** Pure. */
export function decideDetach(id: string, state: Media, statusId: string): MediaEvent[] {
  const attached = state.state !== 'none' && state.state !== 'deleted' && state.statusId === statusId;
  return attached ? [{ type: 'MediaDetached', data: { id, status_id: statusId } }] : [];
}

/** Checks the uploads for a status. Pure. @throws RookeryError `invalid` */
function requireClaimable(
  ids: readonly string[],
  states: readonly Media[],
  { accountId, statusId, from }: Claim,
): ExistingMedia[] {
  const claimable = states.map((state) => {
    if (state.state === 'none' || state.state === 'deleted' || state.accountId !== accountId)
      return undefined;
    if (state.sealedBy !== null) return undefined;
    const free = state.statusId === null || state.statusId === statusId || state.statusId === from;
    return free ? state : undefined;
  });
  const missing = ids.filter((_, index) => !claimable[index]);
  if (missing.length > 0) {
    throw invalid(`Media ${missing.join(', ')} not found or already attached to another post`);
  }
  const found = claimable.filter((state) => state !== undefined);
  if (found.length > 1 && found.some(({ attachment: { type } }) => type === 'video' || type === 'audio')) {
    throw invalid('Cannot attach a video to a post that already contains images');
  }
  if (found.some(({ state }) => state !== 'processed')) {
    throw invalid('Cannot attach files that have not finished processing. Try again in a moment!');
  }
  return found;
}
