import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fairSemaphore } from '#kernel/concurrency.ts';
import { invalid } from '#kernel/errors.ts';
import { MEDIA_LIMITS, type MediaMeta, type MediaType } from '#mastodon/media-limits.ts';
import { type Programs, runProgram } from './ffmpeg.ts';
import { FFMPEG, INPUT_OPTIONS, ONE_THREAD, WITHOUT_METADATA } from './ffmpeg-options.ts';
import { metaOf, notUnderstood, probe, type Probed } from './probe.ts';

/** A rendered file in a temporary folder. */
export interface RenderedStream {
  type: MediaType;
  path: string;
  extension: string;
  contentType: string;
  meta: MediaMeta;
}

const PREVIEW_SECONDS = 30;
/** The largest accepted video takes about 600 s on one core of 2026. */
const RENDER_SECONDS = 1_800;
/** For files that are longer than their header says. */
const LONGEST = ['-t', String(MEDIA_LIMITS.renderedSeconds)] as const;

/** The processor is needed for requests: one file is rendered at a time, and previews of two. */
export const renderLimit = fairSemaphore({ running: 1, waiting: 8, waitingPerOwner: 2 });
export const previewLimit = fairSemaphore({ running: 1, waiting: 20, waitingPerOwner: 4 });

/** Calls with a temporary folder, which is removed afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-render-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Inspects a file and checks its measures. @throws RookeryError `invalid` */
export async function inspectStream(programs: Programs, path: string, folder: string): Promise<Probed> {
  const probed = await probe(programs, path, folder);
  const { video, audio } = probed;
  if (!video && !audio) throw notUnderstood();
  if (video && video.width * video.height > MEDIA_LIMITS.videoPixels) {
    throw invalid(`Validation failed: File ${video.width}x${video.height} videos are not supported`);
  }
  if (video && Math.floor(video.framesPerSecond) > MEDIA_LIMITS.videoFrameRate) {
    throw invalid(`Validation failed: File ${Math.floor(video.framesPerSecond)}fps videos are not supported`);
  }
  if (!isReady(probed)) assertRenderable(probed);
  return probed;
}

/** Rendering time grows with frames and their pixels. A small file can hold very many. */
function assertRenderable({ video, duration = 0 }: Probed): void {
  if (duration > MEDIA_LIMITS.renderedSeconds) {
    throw invalid(
      `Validation failed: File of more than ${MEDIA_LIMITS.renderedSeconds / 3_600} hours is not supported`,
    );
  }
  if (!video) return;
  const { width, height, frames } = video;
  if (frames > MEDIA_LIMITS.videoFrames || frames * width * height > MEDIA_LIMITS.renderedPixels) {
    throw invalid(`Validation failed: File ${width}x${height} videos of ${frames} frames are not supported`);
  }
}

/** Tells whether clients can play it unchanged, so that its streams are only copied. */
function isReady({ video, audio, container }: Probed): boolean {
  if (!video) return audio?.codec === 'mp3' && container === 'mp3';
  return (
    container.includes('mp4') &&
    video.codec === 'h264' &&
    ['yuv420p', 'yuvj420p'].includes(video.pixelFormat) &&
    (audio === undefined || audio.codec === 'aac')
  );
}

/** A video without sound is looped like an animation, as in Mastodon. */
export const typeOf = ({ video, audio }: Probed): MediaType => (video ? (audio ? 'video' : 'gifv') : 'audio');

/** Renders the first frame, or the cover of a sound, as a JPEG in the folder; undefined without one. */
export async function poster(
  { ffmpeg }: Programs,
  path: string,
  { video, hasCover }: Probed,
  folder: string,
): Promise<string | undefined> {
  if (!video && !hasCover) return undefined;
  const target = join(folder, 'poster.jpg');
  // Bounded during decoding, since the cover of a sound may have any size.
  const scale = `scale='min(1920,iw)':'min(1920,ih)':force_original_aspect_ratio=decrease`;
  const args = [
    ...[...FFMPEG, ...INPUT_OPTIONS, '-i', path, '-map', '0:v:0', '-frames:v', '1', '-an', '-sn', '-dn'],
    ...['-vf', scale, '-q:v', '2', '-pix_fmt', 'yuvj420p', '-f', 'mjpeg', target],
  ];
  const ended = await runProgram(ffmpeg, args, { cwd: folder, seconds: PREVIEW_SECONDS });
  if (ended.code === 0) return target;
  // A sound with a broken cover is still a sound.
  if (!video) return undefined;
  throw notUnderstood();
}

/**
 * Renders a form that clients can play: MP4 with H.264 and AAC, or MP3. A file in this form is only cleaned
 * and reordered.
 * @throws RookeryError `invalid` for files that are broken or take longer than `seconds`, since a retry would
 * take as long
 */
export async function renderStream(
  programs: Programs,
  path: string,
  folder: string,
  { signal, seconds = RENDER_SECONDS }: { signal?: AbortSignal | undefined; seconds?: number } = {},
): Promise<RenderedStream> {
  const probed = await inspectStream(programs, path, folder);
  const type = typeOf(probed);
  const target =
    type === 'audio'
      ? { path: join(folder, 'rendered.mp3'), extension: 'mp3', contentType: 'audio/mpeg' }
      : { path: join(folder, 'rendered.mp4'), extension: 'mp4', contentType: 'video/mp4' };
  const codecs = type === 'audio' ? audioArguments(probed) : videoArguments(probed);
  const args = [
    ...[...FFMPEG, '-xerror', ...INPUT_OPTIONS, '-i', path, ...codecs, ...WITHOUT_METADATA, target.path],
  ];
  const ended = await runProgram(programs.ffmpeg, args, { cwd: folder, seconds, signal });
  if (ended.code === 'timeout') throw invalid('The file takes too long to process');
  if (ended.code !== 0) throw notUnderstood();
  return { type, ...target, meta: metaOf(await probe(programs, target.path, folder)) };
}

/** https://docs.joinmastodon.org/user/posting/#media: at most 1300 kbit/s. The format requires even sides. */
function videoArguments(probed: Probed): string[] {
  const { audio } = probed;
  const streams = ['-map', '0:v:0', ...(audio ? ['-map', '0:a:0'] : ['-an'])];
  const codecs = isReady(probed)
    ? ['-c', 'copy']
    : [
        ...['-frames:v', String(MEDIA_LIMITS.videoFrames), ...LONGEST],
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-maxrate', '1300k', '-bufsize', '1300k'],
        ...['-pix_fmt', 'yuv420p', '-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2', ...ONE_THREAD],
        ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
      ];
  return [...streams, ...codecs, '-movflags', '+faststart', '-f', 'mp4'];
}

/** https://docs.joinmastodon.org/user/posting/#media: MP3, V2. */
function audioArguments(probed: Probed): string[] {
  const codec = isReady(probed)
    ? ['-c:a', 'copy']
    : [...LONGEST, '-c:a', 'libmp3lame', '-q:a', '2', '-ac', '2'];
  return ['-map', '0:a:0', '-vn', ...codec, '-f', 'mp3'];
}
