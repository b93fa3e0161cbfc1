import { readFile, stat } from 'node:fs/promises';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { RookeryError } from '#kernel/errors.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { withinBudget } from './animation-budget.ts';
import type { ProcessedImage } from './sharp.ts';
import { encode, looksLikeImage, maxPixels, outputFormat, sharp, TIMEOUT_SECONDS } from './sharp.ts';

export type ProfileImageKind = 'avatar' | 'header';

/** `static` is the same object as `original` unless the original moves. */
export interface ProfileImage {
  original: ProcessedImage;
  static: ProcessedImage;
}

/** 8 MB and 8K resolution are Mastodon's limits; the pixels of all frames of an animation count. */
export const MAX_PROFILE_IMAGE_BYTES = 8 * 1024 * 1024;
export const MAX_PIXELS = MEDIA_LIMITS.imagePixels;

const SIZES = { avatar: { width: 400, height: 400 }, header: { width: 1500, height: 500 } } as const;

/**
 * Makes an uploaded avatar (400x400) or header (1500x500) fit to be shown: upright, cropped around the centre, without
 * metadata. The type comes from the bytes, never from a name. JPEG, PNG, WebP and GIF stay what they are (a moving WebP
 * becomes still), AVIF becomes JPEG, or PNG where it is transparent. A moving GIF is never enlarged, and becomes smaller
 * and shorter where its encoding would take long.
 * @param file the bytes, or the path of a file that holds them
 * @throws RookeryError `invalid` for what is too large, broken or no image
 */
export async function processProfileImage(
  file: Buffer | string,
  kind: ProfileImageKind,
): Promise<ProfileImage> {
  const data = await load(file, kind);
  if (!looksLikeImage(data)) throw unsupported(kind);
  try {
    const metadata = await sharp(data, { limitInputPixels: false }).metadata();
    const format = outputFormat(metadata);
    if (!format) throw unsupported(kind);
    assertPixels(metadata);
    const moves = metadata.format === 'gif' && (metadata.pages ?? 1) > 1;
    const still = { ...SIZES[kind], frames: 1 };
    const original = await encode(resized(data, moves ? movingSize(metadata, kind) : still), format);
    return { original, static: moves ? await encode(resized(data, still), 'png') : original };
  } catch (error) {
    if (isRookeryError(error)) throw error;
    throw unsupported(kind);
  }
}

const titles = { avatar: 'Avatar', header: 'Header' } as const;
const unsupported = (kind: ProfileImageKind): RookeryError =>
  refused(kind, 'content_type', 'ERR_INVALID', 'is invalid');
const tooLarge = (kind: ProfileImageKind): RookeryError =>
  refused(kind, 'file_size', 'ERR_LESS_THAN', 'must be less than 8 MB');

/** In the form of Paperclip's errors: one about the property of the file, and one about the file. */
function refused(
  kind: ProfileImageKind,
  attribute: 'content_type' | 'file_size',
  error: string,
  description: string,
): RookeryError {
  const title = titles[kind];
  const what = `${title} ${attribute.replace('_', ' ')}`;
  return invalid(`Validation failed: ${what} ${description}, ${title} ${description}`, {
    [`${kind}_${attribute}`]: [{ error, description }],
    [kind]: [{ error, description }],
  });
}

async function load(file: Buffer | string, kind: ProfileImageKind): Promise<Buffer> {
  const size = typeof file === 'string' ? (await stat(file)).size : file.length;
  if (size > MAX_PROFILE_IMAGE_BYTES) throw tooLarge(kind);
  return typeof file === 'string' ? readFile(file) : file;
}

function assertPixels(metadata: Metadata): void {
  const { width, height, pages = 1 } = metadata;
  if (width * height * pages <= maxPixels(metadata)) return;
  const frames = pages > 1 ? ` with ${pages} frames` : '';
  throw invalid(`Validation failed: ${width}x${height} images${frames} are not supported`);
}

interface SizeAndFrames {
  width: number;
  height: number;
  frames: number;
}

function movingSize({ width, height, pages = 1 }: Metadata, kind: ProfileImageKind): SizeAndFrames {
  const box = SIZES[kind];
  const fitting = Math.min(width / box.width, height / box.height);
  const whole = Math.min(1, fitting);
  const { scale, frames } = withinBudget({
    width: box.width * whole,
    height: box.height * whole,
    frames: pages,
    isResized: fitting > 1,
  });
  const scaled = (length: number): number => Math.max(1, Math.round(length * whole * scale));
  return { width: scaled(box.width), height: scaled(box.height), frames };
}

function resized(data: Buffer, { width, height, frames }: SizeAndFrames): Sharp {
  const options: SharpOptions = {
    pages: frames,
    failOn: 'truncated',
    limitInputPixels: MAX_PIXELS,
    sequentialRead: true,
  };
  return sharp(data, options)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width, height, fit: 'cover' });
}
