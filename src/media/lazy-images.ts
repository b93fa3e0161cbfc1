import type { Images } from '../kernel/services/images.ts';

const images = () => import('./images.ts');
const emojiImage = () => import('./emoji-image.ts');
const serverImages = () => import('./server-images.ts');

/** Pictures, with their decoders loaded when the first one comes: an idle server does without their memory. */
export const lazyImages: Images = {
  processProfileImage: async (...image) => (await images()).processProfileImage(...image),
  processEmoji: async (file) => (await emojiImage()).processEmoji(file),
  processBanner: async (file) => (await serverImages()).processBanner(file),
  processIcon: async (file) => (await serverImages()).processIcon(file),
};
