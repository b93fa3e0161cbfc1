import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import sharp from 'sharp';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { invalid, isRookeryError } from '../kernel/errors.ts';
import type { RookeryError } from '../kernel/errors.ts';
import { limiter } from '../limiter.ts';

export type ProfileImageKind = 'avatar' | 'header';

/** An image ready to be stored. `hash` is the SHA-256 of the data in hex; `extension` has no dot. */
export interface ProcessedImage {
  data: Buffer;
  contentType: string;
  extension: string;
  hash: string;
}

/** `static` is the very same object as `original` unless the original moves. */
export interface ProfileImage {
  original: ProcessedImage;
  static: ProcessedImage;
}

/** 8 MB and 8K resolution are Mastodon's limits; the pixels of all frames of an animation count. */
export const MAX_PROFILE_IMAGE_BYTES = 8 * 1024 * 1024;
export const MAX_PIXELS = 33_177_600;

/**
 * What an animation may grow to when it is enlarged: 150 frames of an avatar, 32 of a header; the rest is cut off. The
 * library holds all frames at once, and 100 million pixels were seen to take 1 GB and more than the time limit.
 */
const MAX_ANIMATION_PIXELS = 24_000_000;

const SIZES = { avatar: { width: 400, height: 400 }, header: { width: 1500, height: 500 } } as const;

/**
 * Makes an uploaded avatar (400x400) or header (1500x500) fit to be shown: upright, cropped around the centre, without
 * metadata. The type comes from the bytes, never from a name. JPEG, PNG, WebP and GIF stay what they are (a moving WebP
 * becomes still), AVIF becomes JPEG, or PNG where it is transparent.
 * @param file the bytes, or the path of a file that holds them
 * @throws RookeryError `invalid` for what is too large, broken or no image; `unavailable` when too many wait already
 */
export async function processProfileImage(
  file: Buffer | string,
  kind: ProfileImageKind,
): Promise<ProfileImage> {
  return oneAtATime(async () => {
    const data = await load(file, kind);
    if (!looksLikeImage(data)) throw unsupported(kind);
    try {
      const metadata = await sharp(data, { limitInputPixels: false }).metadata();
      const format = metadata.format && OUTPUTS[metadata.format];
      if (!format) throw unsupported(kind);
      assertPixels(metadata);
      const moves = metadata.format === 'gif' && (metadata.pages ?? 1) > 1;
      const frames = moves ? framesToKeep(metadata, kind) : 1;
      const original = await encode(resized(data, kind, frames), format(metadata));
      return { original, static: moves ? await encode(resized(data, kind, 1), 'png') : original };
    } catch (error) {
      if (isRookeryError(error)) throw error;
      throw invalid(`Validation failed: ${titles[kind]} could not be read as an image`);
    }
  });
}

// The memory of an image being worked on can be 100 MB: one at a time, one thread, and nothing kept for later.
sharp.concurrency(1);
sharp.cache(false);
const oneAtATime = limiter({ running: 1, waiting: 20 });
const TIMEOUT_SECONDS = 20;

type OutputFormat = keyof typeof TYPES;
const TYPES = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  webp: { contentType: 'image/webp', extension: 'webp' },
} as const;

/** What each input format becomes. `heif` is AVIF too; HEIC is read only where the library has its codec. */
const OUTPUTS: Record<string, ((metadata: Metadata) => OutputFormat) | undefined> = {
  jpeg: () => 'jpeg',
  png: () => 'png',
  gif: () => 'gif',
  webp: () => 'webp',
  heif: ({ hasAlpha }) => (hasAlpha ? 'png' : 'jpeg'),
  avif: ({ hasAlpha }) => (hasAlpha ? 'png' : 'jpeg'),
};

const titles = { avatar: 'Avatar', header: 'Header' } as const;
const unsupported = (kind: ProfileImageKind): RookeryError =>
  invalid(`Validation failed: ${titles[kind]} content type is not supported`);
const tooLarge = (kind: ProfileImageKind): RookeryError =>
  invalid(`Validation failed: ${titles[kind]} file size must be less than 8 MB`);

async function load(file: Buffer | string, kind: ProfileImageKind): Promise<Buffer> {
  const size = typeof file === 'string' ? (await stat(file)).size : file.length;
  if (size > MAX_PROFILE_IMAGE_BYTES) throw tooLarge(kind);
  return typeof file === 'string' ? readFile(file) : file;
}

/** Decides by the first bytes, so that the library never tries its readers of SVG, PDF and the like on an upload. */
function looksLikeImage(data: Buffer): boolean {
  const head = data.toString('latin1', 0, 12);
  return (
    head.startsWith('\xff\xd8\xff') ||
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    head.startsWith('GIF87a') ||
    head.startsWith('GIF89a') ||
    (head.startsWith('RIFF') && head.slice(8) === 'WEBP') ||
    /^ftyp(?:avif|avis|heic|heix|hevc|mif1|msf1)$/.test(head.slice(4))
  );
}

function assertPixels({ width, height, pages = 1 }: Metadata): void {
  if (width * height * pages <= MAX_PIXELS) return;
  const frames = pages > 1 ? ` with ${pages} frames` : '';
  throw invalid(`Validation failed: ${width}x${height} images${frames} are not supported`);
}

function framesToKeep({ pages = 1 }: Metadata, kind: ProfileImageKind): number {
  const { width, height } = SIZES[kind];
  return Math.min(pages, Math.floor(MAX_ANIMATION_PIXELS / (width * height)));
}

function resized(data: Buffer, kind: ProfileImageKind, frames: number): Sharp {
  const options: SharpOptions = {
    pages: frames,
    failOn: 'truncated',
    limitInputPixels: MAX_PIXELS,
    sequentialRead: true,
  };
  return sharp(data, options)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ ...SIZES[kind], fit: 'cover' });
}

async function encode(image: Sharp, format: OutputFormat): Promise<ProcessedImage> {
  const options = format === 'gif' ? { effort: 3 } : format === 'png' ? {} : { quality: 90 };
  const data = await image.toFormat(format, options).toBuffer();
  return { data, ...TYPES[format], hash: createHash('sha256').update(data).digest('hex') };
}
