import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid } from '#kernel/errors.ts';
import type { OnBehalf } from '#kernel/on-behalf.ts';
import type { MediaProcessor, MediaStore, RenderedMedia } from '#kernel/services/media.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { areInstalled, type Programs } from './ffmpeg.ts';
import { inTurn } from './in-turn.ts';
import { isMovingAvif, isMovingPng, MOVING_AVIF } from './moving-files.ts';
import { metaOf } from './probe.ts';
import { sniff } from './sniff.ts';
import {
  inspectStream,
  inTemporaryFolder,
  poster,
  previewLimit,
  type RenderedStream,
  renderLimit,
  renderStream,
  typeOf,
} from './streams.ts';
import { renderChosenThumbnail, storeThumbnail } from './thumbnails.ts';

/** Renders uploads and stores the results. */
export function createMediaProcessor(options: { store: MediaStore; programs: Programs }): MediaProcessor {
  const { store, programs } = options;
  let found = false;
  return {
    async take(path, { whole, ...upload }) {
      const { kind, mime } = await sniff(path);
      await assertSize(path, kind === 'stream' ? MEDIA_LIMITS.videoBytes : MEDIA_LIMITS.imageBytes);
      if (mime === 'image/avif') await assertStill(path);
      if (kind === 'image') return { media: await storeImage(store, path, upload), source: null };
      // Checked until they are found, so installing them needs no restart.
      const hasPrograms = (found ||= await areInstalled(programs));
      if (kind === 'animation' && !(hasPrograms && (await moves(path, mime, upload)))) {
        return { media: await storeImage(store, path, upload), source: null };
      }
      if (!hasPrograms)
        throw invalid('Validation failed: File videos and sounds need ffmpeg, which this server lacks');
      const taken = await takeStream(options, path, upload);
      if (whole) return { media: await finishStream(options, path, upload, taken), source: null };
      return { media: taken, source: await store.putFile(path, { ...SOURCE, owner: upload.id }) };
    },

    finish: (source, upload) =>
      inTemporaryFolder(async (folder) => {
        const path = join(folder, 'upload');
        await store.fetch(source, path);
        return finishStream(options, path, { ...upload, isJob: true }, NOTHING);
      }),

    thumbnail: (path, picture) => renderChosenThumbnail(store, path, picture),
  };
}

async function moves(path: string, mime: string, upload: Upload): Promise<boolean> {
  return mime === 'image/apng' ? isMovingPng(path) : inTurn('isAnimated', [path], upload);
}

/** An original upload, which browsers must not show. */
const SOURCE = { extension: 'bin', contentType: 'application/octet-stream' };
const NOTHING = { preview: null, blurhash: null, meta: {} };

type Upload = OnBehalf & { id: string };

interface Options {
  store: MediaStore;
  programs: Programs;
}

async function storeImage(
  store: MediaStore,
  path: string,
  { id, ...onBehalf }: Upload,
): Promise<RenderedMedia> {
  const { original, originalMeta, image, meta, blurhash } = await inTurn('renderImage', [path], onBehalf);
  const [file, preview] = await Promise.all([
    store.put(original.data, { ...original, owner: id }),
    store.put(image.data, { ...image, owner: id }),
  ]);
  return { type: 'image', file, preview, meta: { original: originalMeta, small: meta }, blurhash };
}

/** Returns what is known and can be shown before rendering. */
async function takeStream(
  { store, programs }: Options,
  path: string,
  upload: Upload,
): Promise<RenderedMedia> {
  return inTemporaryFolder(async (folder) => {
    const probed = await previewLimit(() => inspectStream(programs, path, folder), upload);
    const type = typeOf(probed);
    const picture = await previewLimit(() => poster(programs, path, probed, folder), upload);
    const meta = metaOf(probed);
    if (picture === undefined) return { type, file: null, preview: null, meta, blurhash: null };
    const { preview, blurhash, small, colors } = await storeThumbnail(store, picture, upload);
    // Players of sounds take their colours from the cover.
    return {
      type,
      file: null,
      preview,
      blurhash,
      meta: { ...meta, small, ...(type === 'audio' ? { colors } : {}) },
    };
  });
}

async function finishStream(
  { store, programs }: Options,
  path: string,
  upload: Upload,
  { preview, blurhash, meta }: Pick<RenderedMedia, 'preview' | 'blurhash' | 'meta'>,
): Promise<RenderedMedia> {
  return renderLimit(
    () =>
      inTemporaryFolder(async (folder) => {
        const rendered: RenderedStream = await renderStream(programs, path, folder, upload);
        const file = await store.putFile(rendered.path, { ...rendered, owner: upload.id });
        const { small, colors } = meta;
        return {
          type: rendered.type,
          file,
          preview,
          blurhash,
          meta: { ...rendered.meta, ...(small ? { small } : {}), ...(colors ? { colors } : {}) },
        };
      }),
    upload,
  );
}

/** Throws RookeryError `invalid`. */
async function assertStill(path: string): Promise<void> {
  if (await isMovingAvif(path)) throw invalid(`Validation failed: File ${MOVING_AVIF}`);
}

async function assertSize(path: string, maxBytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size === 0) throw invalid("Validation failed: File can't be blank");
  if (size <= maxBytes) return;
  throw invalid(`Validation failed: File file size must be less than ${maxBytes / 1024 / 1024} MB`);
}
