import type { WebPage } from '../../page/page.ts';

/** Filters. */
export const filterPages: readonly WebPage[] = [];
