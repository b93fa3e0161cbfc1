import type { WebPage } from '#interfaces/web/page/page.ts';
import { completions } from './complete.ts';
import { deletePage } from './delete.ts';
import { editPage } from './edit.ts';
import { historyPage } from './history.ts';
import { publishPage } from './publish.ts';
import { cancelPage, reschedulePage, scheduledPage } from './scheduled.ts';
import { sharePage } from './share.ts';

export { keepPost } from './publish.ts';
export { smallComposer } from './small.ts';

/** Writing posts: the composer, drafts, edits, scheduled posts. */
export const composePages: readonly WebPage[] = [
  completions,
  publishPage,
  sharePage,
  editPage,
  historyPage,
  deletePage,
  scheduledPage,
  reschedulePage,
  cancelPage,
];
