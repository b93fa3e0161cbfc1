import sharp from 'sharp';
import { movingGif } from '../test/support/pictures.ts';
import type { Attack } from './attack.ts';
import { sendPictures } from './hostile-heavy.ts';

/** Noise has new colours in each frame, which encoders of GIF like least. */
async function noisyGif(side: number, frames: number): Promise<Buffer> {
  const create = { width: side, height: side * frames, channels: 3, background: 'gray' } as const;
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const raw = await sharp({ create: { ...create, noise } })
    .raw()
    .toBuffer();
  return sharp(raw, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif({ effort: 1, colours: 64, dither: 0 })
    .toBuffer();
}

/** Uploads of one GIF as avatar and header, by one account. */
function gifs(name: string, make: () => Promise<Buffer>, more: Partial<Attack> = {}): Attack {
  let gif = new Uint8Array();
  return {
    ...more,
    name: `moving GIFs: ${name} as avatar and header${more.victims ? `, beside ${more.victims}` : ''}`,
    prepare: async () => void (gif = new Uint8Array(await make())),
    run: sendPictures(
      'PATCH',
      '/api/v1/accounts/update_credentials',
      ['avatar', 'header'],
      () => gif,
      'image/gif',
    ),
  };
}

/** Pictures whose frames cost far more than their bytes. */
export const GIF_ATTACKS: readonly Attack[] = [
  gifs('2,000 frames of 8x8', () => movingGif({ width: 8, height: 8 }, 2_000)),
  gifs('80 frames of noise', () => noisyGif(128, 80)),
  gifs('80 frames of noise', () => noisyGif(128, 80), { victims: 'small pictures of users' }),
];
