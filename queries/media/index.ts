import { showMedia } from './show.ts';

export { processingMedia, unattachedMedia } from './waiting.ts';
export const mediaQueries = [showMedia];
