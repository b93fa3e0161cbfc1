import { invalid } from '../kernel/errors.ts';
import { MEDIA_LIMITS } from '../kernel/media.ts';
import type { MediaProcessor, MediaStore, RenderedMedia } from '../kernel/services.ts';
import { stat } from 'node:fs/promises';
import { renderImage } from './attachment-images.ts';
import { sniff } from './sniff.ts';
import { renderChosenThumbnail } from './thumbnails.ts';

/** Renders uploads and keeps the results in the store. */
export function createMediaProcessor({ store }: { store: MediaStore }): MediaProcessor {
  return {
    async take(path, { id }) {
      const { kind } = await sniff(path);
      await assertSize(path, kind === 'stream' ? MEDIA_LIMITS.videoBytes : MEDIA_LIMITS.imageBytes);
      if (kind === 'stream') throw invalid('Validation failed: File videos and sounds are not supported');
      return { media: await storeImage(store, path, id), source: null };
    },

    finish() {
      throw invalid('Validation failed: File videos and sounds are not supported');
    },

    thumbnail: (path, { id }) => renderChosenThumbnail(store, path, id),
  };
}

async function storeImage(store: MediaStore, path: string, id: string): Promise<RenderedMedia> {
  const { original, originalMeta, image, meta, blurhash } = await renderImage(path);
  const [file, preview] = await Promise.all([
    store.put(original.data, { ...original, owner: id }),
    store.put(image.data, { ...image, owner: id }),
  ]);
  return { type: 'image', file, preview, meta: { original: originalMeta, small: meta }, blurhash };
}

async function assertSize(path: string, maxBytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size === 0) throw invalid("Validation failed: File can't be blank");
  if (size <= maxBytes) return;
  throw invalid(`Validation failed: File file size must be less than ${maxBytes / 1024 / 1024} MB`);
}
