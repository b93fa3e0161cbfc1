import type { WebPage } from '../../page/page.ts';

/** Search and explore. */
export const searchPages: readonly WebPage[] = [];
