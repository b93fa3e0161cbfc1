import { invalid } from '#kernel/errors.ts';
import { framesInside, OF_ATTACHMENTS } from '../animation-budget.ts';
import { encode, outputFormat, type ProcessedImage, sharp, TIMEOUT_SECONDS } from '../sharp.ts';

/** Pixels of one frame. */
const MAX_STILL_PIXELS = 33_177_600;

/**
 * Encodes a GIF, WebP, PNG, JPEG or AVIF anew within this width and height, and keeps animation. Makes it smaller and
 * drops frames where its encoding would take long.
 * @throws RookeryError `invalid` for a broken or too large file
 */
export async function renderAnimation(
  path: string,
  { maxSide, still, isAttachment = false }: { maxSide: number; still: boolean; isAttachment?: boolean },
): Promise<{ image: ProcessedImage; moves: boolean }> {
  try {
    const metadata = await sharp(path, { limitInputPixels: false }).metadata();
    const format = outputFormat(metadata);
    const { width, pages = 1 } = metadata;
    // The library may report the height of all frames together.
    const height = metadata.pageHeight ?? metadata.height;
    if (!format || width * height > MAX_STILL_PIXELS) throw invalid('The picture is not supported');
    const moves = pages > 1 && (format === 'gif' || format === 'webp');
    const shown = { width, height, pages: moves && !still ? pages : 1 };
    const { side, frames } = framesInside(shown, maxSide, isAttachment ? OF_ATTACHMENTS : undefined);
    const source = sharp(path, { pages: frames, failOn: 'truncated', limitInputPixels: MAX_STILL_PIXELS });
    const sized = source
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
    return { image: await encode(sized, frames === 1 && format === 'gif' ? 'png' : format), moves };
  } catch {
    throw invalid('The picture could not be read');
  }
}
