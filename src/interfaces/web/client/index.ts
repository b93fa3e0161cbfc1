import type { WebPage } from '../page/page.ts';
import { peoplePages } from './accounts/index.ts';
import { composePages } from './compose/index.ts';
import { filterPages } from './filters/index.ts';
import { listPages } from './lists/index.ts';
import { notificationPages } from './notifications/index.ts';
import { searchPages } from './search/index.ts';
import { startPages } from './start/index.ts';
import { statusPages } from './statuses/index.ts';
import { timelinePages } from './timelines/index.ts';

/** Every page and button of the web client, by feature. Pages of one literal path precede those with parameters. */
export const clientPages: readonly WebPage[] = [
  ...timelinePages,
  ...searchPages,
  ...notificationPages,
  ...listPages,
  ...filterPages,
  ...composePages,
  ...startPages,
  // Before `/@:name/:id`.
  ...peoplePages,
  ...statusPages,
];
