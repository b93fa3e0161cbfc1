import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const call = promisify(execFile);

/** Whether this machine can make and read videos; specs that need it say so and are skipped otherwise. */
export const HAS_FFMPEG = ['ffmpeg', 'ffprobe'].every(
  (program) => spawnSync(program, ['-version'], { stdio: 'ignore' }).status === 0,
);

/** Sources of one and a half seconds: a moving test picture and a tone. */
const PICTURE = (size: string, rate = 25): string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc=size=${size}:rate=${rate}:duration=1.5`,
];
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1.5'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/**
 * Runs ffmpeg with these arguments and returns its output; the extension of the file name sets the format.
 */
export async function record(extension: string, args: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-video-'));
  try {
    const target = join(folder, `recorded.${extension}`);
    await call('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...args, target]);
    return await readFile(target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A video with sound as a phone makes it: MOV, with the location of the recording. */
export const telephoneVideo = (): Promise<Buffer> =>
  record('mov', [
    ...[...PICTURE('320x180'), ...TONE, ...H264, '-c:a', 'aac', '-shortest'],
    ...['-metadata', 'location=+52.5200+013.4050/', '-metadata', 'title=Secret garden'],
  ]);

/** A video with sound that must be transcoded; its sides are odd on purpose. */
export const webVideo = (): Promise<Buffer> =>
  record('webm', [
    ...[
      ...PICTURE('161x91', 30),
      ...TONE,
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-c:a',
      'libopus',
      '-shortest',
    ],
  ]);

/** A small video that takes long to transcode: nothing moves in any of its frames. */
export const manyFrames = (frames: number): Promise<Buffer> =>
  record('webm', [
    ...['-f', 'lavfi', '-i', 'color=size=16x16:rate=120', '-frames:v', String(frames)],
    ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
  ]);

export const silentVideo = (size = '160x90', rate = 25): Promise<Buffer> =>
  record('mp4', [...PICTURE(size, rate), ...H264]);

/** A moving PNG. */
export const animatedPng = (): Promise<Buffer> =>
  record('png', [...PICTURE('160x90', 10), '-plays', '0', '-f', 'apng']);

/** A moving AVIF, of the brand `avis`. */
export const animatedAvif = (): Promise<Buffer> =>
  record('avif', [...PICTURE('64x48', 4), '-c:v', 'libaom-av1', '-cpu-used', '8']);

export const animatedGif = (): Promise<Buffer> => record('gif', PICTURE('160x90', 10));

export const tone = (extension: 'mp3' | 'ogg' | 'flac' | 'wav' | 'm4a'): Promise<Buffer> =>
  record(extension, [...TONE, ...(extension === 'm4a' ? ['-c:a', 'aac'] : [])]);

/** A tone with cover art. */
export async function toneWithCover(cover: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-cover-'));
  try {
    const path = join(folder, 'cover.jpg');
    await writeFile(path, cover);
    return await record('mp3', [
      ...[...TONE, '-i', path, '-map', '0:a', '-map', '1:v', '-c:v', 'copy', '-id3v2_version', '3'],
      ...['-disposition:v', 'attached_pic'],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns what ffprobe reports about a file. */
export async function lookInto(
  data: Buffer,
): Promise<{
  format: { format_name: string; duration: string; tags?: Record<string, string> };
  streams: { codec_type: string; codec_name: string; pix_fmt?: string; tags?: Record<string, string> }[];
}> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-look-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, data);
    const { stdout } = await call('ffprobe', [
      '-v',
      'error',
      '-of',
      'json',
      '-show_format',
      '-show_streams',
      path,
    ]);
    return JSON.parse(stdout) as Awaited<ReturnType<typeof lookInto>>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
