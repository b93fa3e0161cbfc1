import type { WebPage } from '#interfaces/web/page/page.ts';
import { findPage } from './find.ts';
import { replayPage } from './show.ts';

/** Pages on which auditors replay the history of one subject. */
export const replayPages: readonly WebPage[] = [findPage, replayPage];
