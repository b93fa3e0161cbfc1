import type { WebPage } from '../../page/page.ts';

/** People: profiles, follows, blocks, mutes, reports. */
export const peoplePages: readonly WebPage[] = [];
