import { showMedia } from './show.ts';

export { unattachedMedia } from './unattached.ts';
export const mediaQueries = [showMedia];
