import sharp from 'sharp';

/** A PNG of one colour. */
export const still = (
  color: string,
  { width, height }: { width: number; height: number } = { width: 32, height: 32 },
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png({ palette: true })
    .toBuffer();

/** An animation of two frames: red, then blue. */
export async function moving(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all([still('red'), still('blue')]);
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** A GIF of few bytes with any number of frames, two of which alternate. */
export async function movingGif(
  { width, height }: { width: number; height: number },
  frames: number,
): Promise<Buffer> {
  const [half, other] = await Promise.all([
    halfOf({ width, height }, { width: Math.ceil(width / 2), height }),
    halfOf({ width, height }, { width, height: Math.ceil(height / 2) }),
  ]);
  // The header ends with the palette: https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18 and 19.
  const headEnd = 13 + 3 * 2 ** (((half[10] ?? 0) & 7) + 1);
  const pictures = [half, other].map((gif) => gif.subarray(headEnd, -1));
  const all = Array.from({ length: frames }, (_, n) => pictures[n % 2] ?? half);
  return Buffer.concat([half.subarray(0, headEnd), ...all, Buffer.from(';')]);
}

async function halfOf(
  whole: { width: number; height: number },
  part: { width: number; height: number },
): Promise<Buffer> {
  const input = await still('blue', part);
  return sharp(await still('red', whole))
    .composite([{ input, left: 0, top: 0 }])
    .gif()
    .toBuffer();
}
