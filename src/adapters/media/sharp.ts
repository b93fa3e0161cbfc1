import { createHash } from 'node:crypto';
import type { Metadata, Sharp } from 'sharp';
import sharp from 'sharp';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';

export { sharp };

// One thread and no cache: an image takes up to 100 MB while it is processed.
sharp.concurrency(1);
sharp.cache(false);

/** For each step of the work on an image. */
export const TIMEOUT_SECONDS = 20;

/** A rendered image. `hash` is the SHA-256 of the data in hex; `extension` has no dot. */
export interface ProcessedImage {
  data: Buffer;
  contentType: string;
  extension: string;
  hash: string;
}

export type OutputFormat = keyof typeof TYPES;
const TYPES = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  webp: { contentType: 'image/webp', extension: 'webp' },
} as const;

/**
 * Returns the format that an image is stored in; undefined for unsupported formats. `heif` is AVIF too; HEIC
 * is not decoded.
 */
export function outputFormat({ format, hasAlpha }: Metadata): OutputFormat | undefined {
  if (isAvif(format)) return hasAlpha ? 'png' : 'jpeg';
  return (['jpeg', 'png', 'gif', 'webp'] as const).find((known) => known === format);
}

/**
 * Returns the maximum pixels of all decoded frames. AVIF costs seven times as much as JPEG, hence a bound of
 * its own, checked before decoding.
 */
export const maxPixels = ({ format }: Metadata): number =>
  isAvif(format) ? MEDIA_LIMITS.avifPixels : MEDIA_LIMITS.imagePixels;

export const isAvif = (format: string): boolean => format === 'heif' || format === 'avif';

/** Returns the bytes of an image, without metadata. */
export async function encode(image: Sharp, format: OutputFormat): Promise<ProcessedImage> {
  const options = format === 'gif' ? { effort: 3 } : format === 'png' ? {} : { quality: 90 };
  const data = await image.toFormat(format, options).toBuffer();
  return { data, ...TYPES[format], hash: createHash('sha256').update(data).digest('hex') };
}

/**
 * Decides by the first bytes, so that the library never tries its readers of SVG, PDF and the like on an
 * upload.
 */
export function looksLikeImage(data: Buffer): boolean {
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
