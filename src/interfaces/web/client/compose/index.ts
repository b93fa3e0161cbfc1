import type { WebPage } from '../../page/page.ts';
import { completions } from './complete.ts';
import { publishPage } from './publish.ts';
import { sharePage } from './share.ts';

export { smallComposer } from './small.ts';

/** Writing posts: the composer, drafts, edits, scheduled posts. */
export const composePages: readonly WebPage[] = [completions, publishPage, sharePage];
