import { invalid, isRookeryError } from '#kernel/errors.ts';
import { blurhashOf } from './attachment-images.ts';
import { MAX_PIXELS, MAX_PROFILE_IMAGE_BYTES } from './images.ts';
import {
  encode,
  looksLikeImage,
  maxPixels,
  type OutputFormat,
  outputFormat,
  type ProcessedImage,
  sharp,
  TIMEOUT_SECONDS,
} from './sharp.ts';

/** Pixels of the banner, as in Mastodon; doubled for dense screens. */
const BANNER = { width: 1200, height: 630 };
/** Pixels of icons, as in Mastodon. */
const ICON_SIZES = [36, 48, 72, 96, 144, 192, 256, 384, 512];

/**
 * Renders a picture as the banner of the server in two sizes, cropped around the centre.
 * @throws RookeryError `invalid` for a too large, broken or unsupported file
 */
export const processBanner = (
  file: Buffer,
): Promise<{ once: ProcessedImage; twice: ProcessedImage; blurhash: string }> =>
  readable(file, async (format) => {
    const once = await scaled(file, BANNER, format);
    const twice = await scaled(file, { width: 2 * BANNER.width, height: 2 * BANNER.height }, format);
    return { once, twice, blurhash: await blurhashOf(once.data) };
  });

/**
 * Renders a picture as the icon of the server: square PNGs of all sizes. @throws RookeryError as
 * `processBanner`
 */
export const processIcon = (file: Buffer): Promise<{ size: number; image: ProcessedImage }[]> =>
  readable(file, async () => {
    const icons: { size: number; image: ProcessedImage }[] = [];
    // One after another, to bound memory.
    for (const size of ICON_SIZES) {
      icons.push({ size, image: await scaled(file, { width: size, height: size }, 'png') });
    }
    return icons;
  });

async function readable<T>(file: Buffer, work: (format: OutputFormat) => Promise<T>): Promise<T> {
  if (file.length > MAX_PROFILE_IMAGE_BYTES) throw invalid('The picture must be smaller than 8 MB');
  if (!looksLikeImage(file)) throw unsupported();
  try {
    const metadata = await sharp(file, { limitInputPixels: false }).metadata();
    const format = outputFormat(metadata);
    if (!format) throw unsupported();
    if (metadata.width * metadata.height > maxPixels(metadata))
      throw invalid('The picture has too many pixels');
    return await work(format === 'gif' ? 'png' : format);
  } catch (error) {
    if (isRookeryError(error)) throw error;
    throw invalid('The picture could not be read');
  }
}

const unsupported = () => invalid('The picture must be JPEG, PNG, GIF, WebP or AVIF');

const scaled = (
  file: Buffer,
  size: { width: number; height: number },
  format: OutputFormat,
): Promise<ProcessedImage> =>
  encode(
    sharp(file, { failOn: 'truncated', limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ ...size, fit: 'cover' }),
    format,
  );
