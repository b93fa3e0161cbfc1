import { invalid } from '../../../kernel/errors.ts';
import { encode, outputFormat, sharp, TIMEOUT_SECONDS, type ProcessedImage } from '../sharp.ts';

/** Pixels of all frames together: the library holds them in memory, and 100 million took 1 GB. */
const MAX_PIXELS = 24_000_000;
/** Pixels of one frame. */
const MAX_STILL_PIXELS = 33_177_600;

/**
 * Encodes a GIF, WebP, PNG, JPEG or AVIF anew within this width and height, and keeps animation. Drops frames
 * past the bound.
 * @throws RookeryError `invalid` for a broken or too large file
 */
export async function renderAnimation(
  path: string,
  { maxSide, still }: { maxSide: number; still: boolean },
): Promise<{ image: ProcessedImage; moves: boolean }> {
  try {
    const metadata = await sharp(path, { limitInputPixels: false }).metadata();
    const format = outputFormat(metadata);
    const { width, pages = 1 } = metadata;
    // The library may report the height of all frames together.
    const height = metadata.pageHeight ?? metadata.height;
    if (!format || width * height > MAX_STILL_PIXELS) throw invalid('The picture is not supported');
    const kept = Math.max(1, Math.min(pages, Math.floor(MAX_PIXELS / (width * height))));
    const moves = pages > 1 && (format === 'gif' || format === 'webp');
    const frames = moves && !still ? kept : 1;
    const source = sharp(path, { pages: frames, failOn: 'truncated', limitInputPixels: MAX_STILL_PIXELS });
    const sized = source
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true });
    return { image: await encode(sized, frames === 1 && format === 'gif' ? 'png' : format), moves };
  } catch {
    throw invalid('The picture could not be read');
  }
}
