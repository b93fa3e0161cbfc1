import { accountQueries } from './accounts/index.ts';
import { appQueries } from './apps/index.ts';
import { emailQueries } from './emails/index.ts';
import { filterQueries } from './filters/index.ts';
import { followRequestQueries } from './follow-requests/index.ts';
import { listQueries } from './lists/index.ts';
import { statusQueries } from './statuses/index.ts';
import { timelineQueries } from './timelines/index.ts';

/** Every endpoint that reads. Literal paths come before those with parameters. */
export const queryEndpoints = [
  ...accountQueries,
  ...appQueries,
  ...emailQueries,
  ...filterQueries,
  ...followRequestQueries,
  ...listQueries,
  ...statusQueries,
  ...timelineQueries,
];
