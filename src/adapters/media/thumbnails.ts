import { stat } from 'node:fs/promises';
import { invalid } from '#kernel/errors.ts';
import type { OnBehalf } from '#kernel/on-behalf.ts';
import type { MediaStore, Thumbnail } from '#kernel/services/media.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { inTurn } from './in-turn.ts';
import { sniff } from './sniff.ts';
import { inWorker } from './worker/worker.ts';

/** Renders and stores a preview that the user chose. @throws RookeryError `invalid` for other files */
export async function renderChosenThumbnail(
  store: MediaStore,
  path: string,
  { id, ...onBehalf }: OnBehalf & { id: string },
): Promise<Thumbnail> {
  const { kind } = await sniff(path);
  if (kind === 'stream' || (await stat(path)).size > MEDIA_LIMITS.imageBytes) {
    throw invalid('Validation failed: Thumbnail content type is invalid, or the file is too large');
  }
  return storeThumbnail(store, path, { id, ...onBehalf });
}

/** Does the same for a known picture: a cover, a frame of a video. */
export async function storeThumbnail(
  store: MediaStore,
  path: string,
  { id, ...onBehalf }: OnBehalf & { id: string },
): Promise<Thumbnail> {
  const { image, meta, blurhash } = await inTurn('renderThumbnail', [path], onBehalf);
  const [preview, colors] = await Promise.all([
    store.put(image.data, { ...image, owner: id }),
    inWorker('colorsOf', [image.data]),
  ]);
  return { preview, blurhash, small: meta, colors };
}
