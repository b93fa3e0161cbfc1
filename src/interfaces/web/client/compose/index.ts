import type { WebPage } from '../../page/page.ts';
import { completions } from './complete.ts';

/** Writing posts: the composer, drafts, edits, scheduled posts. */
export const composePages: readonly WebPage[] = [completions];
