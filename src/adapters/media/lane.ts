import { open } from 'node:fs/promises';
import { isAvif, looksLikeImage, sharp } from './sharp.ts';

/** Small pictures take at most half a second, and have a worker's place of their own. */
export type Lane = 'small' | 'large';

/** Pixels of a small picture. */
const STILL = 2_000_000;
/** Pixels of all frames of a small picture that moves. */
const MOVING = 500_000;
/** An AVIF takes so many times as long as a JPEG. */
const AVIF = 7;

/** Returns the lane of a picture by its headers. A file that cannot be read is refused soon, and so is small. */
export async function laneOf(file: Buffer | string): Promise<Lane> {
  if (!looksLikeImage(await headOf(file))) return 'small';
  const metadata = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!metadata) return 'small';
  const { width, pages = 1, format } = metadata;
  const pixels = width * (metadata.pageHeight ?? metadata.height) * (isAvif(format) ? AVIF : 1);
  const isSmall = pages > 1 ? pixels * pages <= MOVING : pixels <= STILL;
  return isSmall ? 'small' : 'large';
}

async function headOf(file: Buffer | string): Promise<Buffer> {
  if (typeof file !== 'string') return file.subarray(0, 12);
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
