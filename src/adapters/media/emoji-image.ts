import type { Metadata, Sharp } from 'sharp';
import sharp from 'sharp';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import type { ProcessedImage } from '#kernel/services/images.ts';
import { framesInside } from './animation-budget.ts';

/** 256 KB is Mastodon's limit. */
export const MAX_EMOJI_BYTES = 256 * 1024;
/** Emojis are as high as a line of text. Larger ones are scaled down to this width and height. */
const MAX_SIDE = 256;
/** The pixels of all frames together: a small file can declare very many. */
const MAX_PIXELS = 33_177_600;
const TIMEOUT_SECONDS = 20;

const TYPES = {
  png: { contentType: 'image/png', extension: 'png' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  webp: { contentType: 'image/webp', extension: 'webp' },
} as const;
type Format = keyof typeof TYPES;

/**
 * Makes a picture fit to be an emoji: without metadata, at most 256 pixels wide and high, PNG, GIF and WebP staying what
 * they are, moving ones too, which become smaller and shorter where their encoding would take long. `static` is a PNG of the first frame; of a PNG it is the very same object as `original`. The
 * type comes from the bytes.
 * @throws RookeryError `invalid` for what is too large, broken or none of the three
 */
export async function processEmoji(
  file: Buffer,
): Promise<{ original: ProcessedImage; static: ProcessedImage }> {
  if (file.length >= MAX_EMOJI_BYTES) throw invalid('Image file size must be less than 256 KB');
  const format = formatOf(file);
  if (!format) throw invalid('Image content type is not supported: PNG, GIF and WebP are');
  try {
    const metadata = await sharp(file, { limitInputPixels: false }).metadata();
    assertPixels(metadata);
    const still = await encode(scaled(file, 1), 'png');
    if (format === 'png') return { original: still, static: still };
    const { frames, side } = framesInside(metadata, MAX_SIDE);
    return { original: await encode(scaled(file, frames, side), format), static: still };
  } catch (error) {
    if (isRookeryError(error)) throw error;
    throw invalid('Image could not be read');
  }
}

/** Decides by the first bytes, so that the library tries none of its other readers. */
function formatOf(file: Buffer): Format | undefined {
  const head = file.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'webp' : undefined;
}

function assertPixels({ width, height, pages = 1 }: Metadata): void {
  if (width * height * pages > MAX_PIXELS)
    throw invalid(`Image is too large: ${width}x${height}, ${pages} frames`);
}

const scaled = (file: Buffer, pages: number, side = MAX_SIDE): Sharp =>
  sharp(file, { pages, failOn: 'truncated', limitInputPixels: MAX_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });

async function encode(image: Sharp, format: Format): Promise<ProcessedImage> {
  const options = format === 'webp' ? { quality: 90 } : {};
  return { data: await image.toFormat(format, options).toBuffer(), ...TYPES[format] };
}
