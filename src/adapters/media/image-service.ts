import { invalid } from '#kernel/errors.ts';
import type { Images } from '#kernel/services/images.ts';
import { inTurn } from './in-turn.ts';
import { isMovingAvif, MOVING_AVIF } from './moving-files.ts';

/** Work on pictures, done by the worker process. */
export const images: Images = {
  async processProfileImage(file, kind, onBehalf) {
    if (await isMovingAvif(file)) {
      const title = kind === 'avatar' ? 'Avatar' : 'Header';
      throw invalid(`Validation failed: ${title} ${MOVING_AVIF}`, {
        [kind]: [{ error: 'ERR_INVALID', description: MOVING_AVIF }],
      });
    }
    return inTurn('processProfileImage', [file, kind], onBehalf);
  },
  processEmoji: (file) => inTurn('processEmoji', [file]),
  async processBanner(file) {
    await assertStill(file);
    return inTurn('processBanner', [file]);
  },
  async processIcon(file) {
    await assertStill(file);
    return inTurn('processIcon', [file]);
  },
};

async function assertStill(file: Buffer): Promise<void> {
  if (await isMovingAvif(file)) throw invalid(`The picture ${MOVING_AVIF}`);
}
