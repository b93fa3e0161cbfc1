import { stat } from 'node:fs/promises';
import { fairSemaphore } from '#kernel/concurrency.ts';
import { invalid } from '#kernel/errors.ts';
import type { OnBehalf } from '#kernel/on-behalf.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import type { RemoteMediaKind, RemoteMediaVariant } from '#mastodon/remote-media.ts';
import { areInstalled, type Programs } from '../ffmpeg.ts';
import { inTurn, laneInWorker } from '../in-turn.ts';
import { isMovingPng } from '../moving-files.ts';
import { metaOf } from '../probe.ts';
import { sniff, type Sniffed } from '../sniff.ts';
import { inspectStream, poster, typeOf } from '../streams.ts';
import { renderMovingPng } from './moving-png.ts';
import { renderPlayable } from './playable.ts';
import type { Rendered } from './rendered.ts';

export interface RenderOptions {
  kind: RemoteMediaKind;
  variant: RemoteMediaVariant;
  programs: Programs;
  /** For temporary files, and perhaps the result. */
  folder: string;
  /** The host that the file comes from. */
  host: string;
  /** Refuses slow work. */
  quickly: boolean;
  onBehalf?: OnBehalf | undefined;
}

/** The maximum bytes of a file, by kind. */
export const MAX_BYTES: Readonly<Record<RemoteMediaKind, number>> = {
  avatars: 8 * 1024 * 1024,
  headers: 8 * 1024 * 1024,
  attachments: MEDIA_LIMITS.videoBytes,
  previews: MEDIA_LIMITS.imageBytes,
  emojis: 2 * 1024 * 1024,
  cards: 8 * 1024 * 1024,
};
/** Pixels each way. */
const EMOJI_SIDE = 256;
const ANIMATION_SIDE = 1_280;

/**
 * Local uploads use the same decoders: the cache takes at most two of their places, and two of those for small
 * pictures. Hosts take turns.
 */
const IMAGES = {
  small: fairSemaphore({ running: 2, waiting: 400 }),
  large: fairSemaphore({ running: 2, waiting: 400 }),
};
const streams = fairSemaphore({ running: 1, waiting: 40 });

/**
 * Renders a fetched file for display. @throws RookeryError `invalid` for an unsupported, broken or too large
 * file
 */
export async function renderRemote(path: string, asked: RenderOptions): Promise<Rendered> {
  const { kind, host, onBehalf } = asked;
  // The queues of the cache bound its work; those of the decoders, which uploads share, admit it.
  const options = { ...asked, onBehalf: { owner: host, ...onBehalf, isJob: true } };
  const images = async (work: () => Promise<Rendered>): Promise<Rendered> =>
    IMAGES[await laneInWorker(path, options.onBehalf)](work, { owner: host, ...onBehalf });
  if (kind === 'avatars' || kind === 'headers') return images(() => profilePicture(path, options));
  if (kind === 'emojis') return (await movingPng(path, asked)) ?? images(() => emoji(path, options));
  const sniffed = await sniff(path);
  if (sniffed.kind === 'stream') {
    if (kind !== 'attachments') throw invalid('This is no picture');
    return streams(() => stream(path, sniffed, options), onBehalf);
  }
  if ((await stat(path)).size > MEDIA_LIMITS.imageBytes) throw invalid('The picture is too large');
  if (kind === 'previews' || kind === 'cards') {
    return images(() => preview(path, 'original', options.onBehalf));
  }
  return (await movingPng(path, asked)) ?? images(() => attachment(path, sniffed, options));
}

/** Returns undefined for any other file, and where it cannot be shown moving. */
async function movingPng(
  path: string,
  { kind, variant, onBehalf, ...options }: RenderOptions,
): Promise<Rendered | undefined> {
  if (variant !== 'original' || !(await isMovingPng(path))) return undefined;
  const isAttachment = kind === 'attachments';
  const maxSide = isAttachment ? ANIMATION_SIDE : EMOJI_SIDE;
  const render = (): Promise<string | undefined> =>
    renderMovingPng(path, { ...options, maxSide, isAttachment });
  const content = await streams(render, onBehalf);
  if (content === undefined) return undefined;
  return { variant, still: false, content, file: { extension: 'png', contentType: 'image/png' } };
}

async function profilePicture(path: string, { kind, variant, onBehalf }: RenderOptions): Promise<Rendered> {
  const picture = await inTurn(
    'processProfileImage',
    [path, kind === 'avatars' ? 'avatar' : 'header'],
    onBehalf,
  );
  const still = picture.static === picture.original;
  const image = variant === 'static' ? picture.static : picture.original;
  return { variant, still, content: image.data, file: image };
}

async function emoji(path: string, { variant, onBehalf }: RenderOptions): Promise<Rendered> {
  const { image, moves } = await inTurn(
    'renderAnimation',
    [path, { maxSide: EMOJI_SIDE, still: variant === 'static' }],
    onBehalf,
  );
  const still = !moves && !(await isMovingPng(path));
  return { variant, still, content: image.data, file: image };
}

async function preview(
  path: string,
  variant: RemoteMediaVariant,
  onBehalf: OnBehalf | undefined,
): Promise<Rendered> {
  const {
    image,
    meta: small,
    wholeMeta: original,
    blurhash,
  } = await inTurn('renderThumbnail', [path], onBehalf);
  return {
    variant,
    still: variant === 'original',
    content: image.data,
    file: image,
    found: { blurhash, meta: { original, small } },
  };
}

async function attachment(
  path: string,
  { mime }: Sniffed,
  { variant, onBehalf }: RenderOptions,
): Promise<Rendered> {
  if (variant === 'small') return preview(path, 'small', onBehalf);
  if (mime === 'image/gif' || mime === 'image/webp') {
    const { image, moves } = await inTurn(
      'renderAnimation',
      [path, { maxSide: ANIMATION_SIDE, still: false, isAttachment: true }],
      onBehalf,
    );
    if (moves) return { variant, still: false, content: image.data, file: image };
  }
  const { original, originalMeta, meta: small, blurhash } = await inTurn('renderImage', [path], onBehalf);
  const found = { blurhash, meta: { original: originalMeta, small } };
  return { variant, still: false, content: original.data, file: original, found };
}

async function stream(path: string, sniffed: Sniffed, options: RenderOptions): Promise<Rendered> {
  const { variant, programs, folder } = options;
  const hasPrograms = await areInstalled(programs);
  if (variant === 'original') return renderPlayable(path, sniffed, { ...options, hasPrograms });
  if (!hasPrograms) throw invalid('Previews of videos need ffmpeg');
  const probed = await inspectStream(programs, path, folder);
  const picture = await poster(programs, path, probed, folder);
  if (picture === undefined) throw invalid('There is no picture in it');
  const rendered = await preview(picture, 'small', options.onBehalf);
  const meta = { ...metaOf(probed), small: rendered.found?.meta.small };
  return {
    ...rendered,
    ...(rendered.found ? { found: { ...rendered.found, meta, type: typeOf(probed) } } : {}),
  };
}
