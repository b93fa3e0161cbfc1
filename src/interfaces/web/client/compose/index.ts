import type { WebPage } from '../../page/page.ts';

/** Writing posts: the composer, drafts, edits, scheduled posts. */
export const composePages: readonly WebPage[] = [];
