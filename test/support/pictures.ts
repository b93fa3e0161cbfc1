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
