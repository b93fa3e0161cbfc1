import type { Images } from '../../kernel/services/images.ts';
import { inTurn } from './in-turn.ts';

/** Work on pictures, done by the worker process. */
export const images: Images = {
  processProfileImage: (file, kind, onBehalf) => inTurn('processProfileImage', [file, kind], onBehalf),
  processEmoji: (file) => inTurn('processEmoji', [file]),
  processBanner: (file) => inTurn('processBanner', [file]),
  processIcon: (file) => inTurn('processIcon', [file]),
};
