import { encode as encodeBlurhash } from 'blurhash';
import type { Metadata, Sharp } from 'sharp';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import { MEDIA_LIMITS, type MediaMeta } from '#mastodon/media-limits.ts';
import type { OutputFormat, ProcessedImage } from './sharp.ts';
import { encode, maxPixels, outputFormat, sharp, TIMEOUT_SECONDS } from './sharp.ts';

/** Larger images are scaled down to about this many pixels: https://docs.joinmastodon.org/user/posting/#media */
const MAX_STORED_PIXELS = 8_294_400;
/** Previews have Mastodon's size: 640x360. */
const PREVIEW_PIXELS = 230_400;

export interface Size {
  width: number;
  height: number;
}

/** A rendered picture of an attachment. */
export interface Preview {
  image: ProcessedImage;
  meta: NonNullable<MediaMeta['small']>;
  blurhash: string;
}

export interface AttachmentImage extends Preview {
  original: ProcessedImage;
  originalMeta: NonNullable<MediaMeta['original']>;
}

/**
 * Renders an image for display: upright, in sRGB, without metadata, at most 8.3 megapixels, with a preview.
 * JPEG, PNG, WebP and GIF keep their format without animation; AVIF becomes JPEG, or PNG if it is
 * transparent.
 * @throws RookeryError `invalid` for a broken, too large or unsupported file
 */
export async function renderImage(path: string): Promise<AttachmentImage> {
  return readable(async () => {
    const { metadata, format } = await inspect(path);
    const size = fitted(uprightSize(metadata), MAX_STORED_PIXELS);
    const original = await encode(scaled(path, size), format);
    // A JPEG is cheapest when it is decoded at a small size. Other formats are decoded whole, and the
    // rendered image is smaller.
    const preview = await renderPreview(metadata.format === 'jpeg' ? path : original.data, size, format);
    return { original, originalMeta: measures(size), ...preview };
  });
}

/** Renders only a preview; `wholeMeta` measures the full picture. @throws RookeryError as `renderImage` */
export async function renderThumbnail(
  path: string,
): Promise<Preview & { wholeMeta: NonNullable<MediaMeta['original']> }> {
  return readable(async () => {
    const { metadata, format } = await inspect(path);
    const size = uprightSize(metadata);
    return { ...(await renderPreview(path, size, format)), wholeMeta: measures(size) };
  });
}

/** Tells whether a picture has more than one frame. @throws RookeryError `invalid` when it is broken */
export async function isAnimated(path: string): Promise<boolean> {
  return readable(async () => ((await inspect(path)).metadata.pages ?? 1) > 1);
}

const measures = ({ width, height }: Size): { size: string; aspect: number } & Size => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
});

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRookeryError(error)) throw error;
    throw invalid('File type of uploaded media could not be verified');
  }
}

async function inspect(path: string): Promise<{ metadata: Metadata; format: OutputFormat }> {
  const metadata = await sharp(path, { limitInputPixels: false }).metadata();
  const { width, height } = metadata;
  const format = outputFormat(metadata);
  if (!format) throw new Error('Not a format that is supported');
  const limit = metadata.format === 'gif' ? MEDIA_LIMITS.gifPixels : maxPixels(metadata);
  if (width * height > limit) {
    const kind = metadata.format === 'gif' ? 'GIF files' : 'images';
    throw invalid(`Validation failed: File ${width}x${height} ${kind} are not supported`);
  }
  return { metadata, format };
}

/** Orientations 5 to 8 are rotated by 90 degrees: EXIF 2.32, 4.6.4. */
const uprightSize = ({ width, height, orientation = 1 }: Metadata): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

/** Returns the size with about so many pixels in the same proportions, never larger than the original. */
function fitted({ width, height }: Size, pixels: number): Size {
  const factor = Math.min(1, Math.sqrt(pixels / (width * height)));
  const scale = (length: number): number => Math.max(1, Math.round(length * factor));
  return { width: scale(width), height: scale(height) };
}

function scaled(source: string | Buffer, size: Size): Sharp {
  return sharp(source, {
    failOn: 'truncated',
    limitInputPixels: MEDIA_LIMITS.imagePixels,
    sequentialRead: true,
  })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ ...size, fit: 'fill' });
}

async function renderPreview(source: string | Buffer, whole: Size, format: OutputFormat): Promise<Preview> {
  const size = fitted(whole, PREVIEW_PIXELS);
  const image = await encode(scaled(source, size), format === 'gif' ? 'png' : format);
  return { image, meta: measures(size), blurhash: await blurhashOf(image.data) };
}

/**
 * Returns https://github.com/woltapp/blurhash with four components each way, as in Mastodon; 32 pixels are
 * enough for them.
 */
export async function blurhashOf(image: Buffer): Promise<string> {
  const { data, info } = await sharp(image)
    .resize({ width: 32, height: 32, fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encodeBlurhash(new Uint8ClampedArray(data), info.width, info.height, 4, 4);
}
