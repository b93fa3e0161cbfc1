import { invalid } from '../../../kernel/errors.ts';
import { encode, outputFormat, sharp, TIMEOUT_SECONDS, type ProcessedImage } from '../sharp.ts';

/** Pixels of all frames together: the library holds them at once, and 100 million were seen to take 1 GB. */
const MAX_PIXELS = 24_000_000;
/** Pixels of one frame. */
const MAX_STILL_PIXELS = 33_177_600;

/**
 * Encodes a GIF, WebP, PNG, JPEG or AVIF anew, moving where it moved, at most so wide and high. Frames past the bound are left
 * out.
 * @throws RookeryError `invalid` for what is broken or too large
 */
export async function renderAnimation(
  path: string,
  { maxSide, still }: { maxSide: number; still: boolean },
): Promise<{ image: ProcessedImage; moves: boolean }> {
  try {
    const metadata = await sharp(path, { limitInputPixels: false }).metadata();
    const format = outputFormat(metadata);
    const { width, pages = 1 } = metadata;
    // The library may count the height of all frames together.
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
