import type { WebPage } from '../../page/page.ts';

/** Lists, followed hashtags. */
export const listPages: readonly WebPage[] = [];
