import { type MediaEvent, mediaStream } from '#events/media.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { RenderedMedia } from '#kernel/services/media.ts';
import { removeFiles } from './files.ts';
import { type Media, media } from './media.ts';

/**
 * Renders a waiting upload; does nothing for any other. Records a file that cannot be shown, and one whose
 * `last` try failed.
 * @throws other errors, after which the job should be retried
 */
export async function processMedia(
  ctx: CommandContext,
  id: string,
  { last, signal }: { last: boolean; signal: AbortSignal },
): Promise<void> {
  const { mediaProcessor } = ctx.services;
  const state = await ctx.load(mediaStream(id), media);
  if (state.state !== 'processing' || state.source === null) return;
  const { source } = state;
  const outcome = await mediaProcessor.finish(source, { id, signal }).catch((error: unknown) => {
    if (isRookeryError(error) && error.code === 'invalid') return error.message;
    if (!last || signal.aborted) throw error;
    return 'The file could not be processed';
  });
  const { events } = await ctx.execute(
    mediaStream(id),
    media,
    (now) => (typeof outcome === 'string' ? decideFailed(now, id, outcome) : decideProcessed(now, outcome)),
    { step: 'finish' },
  );
  // It may have been deleted meanwhile.
  if (events.length === 0 && typeof outcome !== 'string') await removeUnused(ctx, id, outcome);
  await removeFiles(ctx.services, [source]);
}

/**
 * Returns the attachment with the results. An existing preview stays, since its owner may have chosen it.
 * Pure.
 */
export function decideProcessed(state: Media, rendered: RenderedMedia): MediaEvent[] {
  if (state.state !== 'processing') return [];
  const { id, preview, blurhash, meta } = state.attachment;
  const kept = preview === null ? rendered : { preview, blurhash };
  const data = {
    id,
    type: rendered.type,
    file: rendered.file,
    preview: kept.preview,
    blurhash: kept.blurhash,
    meta: {
      ...rendered.meta,
      ...(preview !== null && meta?.small ? { small: meta.small } : {}),
      ...(meta?.colors ? { colors: meta.colors } : {}),
      ...(meta?.focus ? { focus: meta.focus } : {}),
    },
  };
  return [{ type: 'MediaProcessed', data }];
}

function decideFailed(state: Media, id: string, error: string): MediaEvent[] {
  return state.state === 'processing'
    ? [{ type: 'MediaProcessingFailed', data: { id, error: error.slice(0, 500) } }]
    : [];
}

/** Two runs of one job produce the same files, which stay if either run needs them. */
async function removeUnused(ctx: CommandContext, id: string, rendered: RenderedMedia): Promise<void> {
  const state = await ctx.load(mediaStream(id), media);
  if (state.state === 'deleted') await removeFiles(ctx.services, [rendered.file, rendered.preview]);
}
