import { accountQueries } from './accounts/index.ts';
import { appQueries } from './apps/index.ts';
import { blockQueries } from './blocks/index.ts';
import { domainBlockQueries } from './domain-blocks/index.ts';
import { emailQueries } from './emails/index.ts';
import { endorsementQueries } from './endorsements/index.ts';
import { followRequestQueries } from './follow-requests/index.ts';
import { muteQueries } from './mutes/index.ts';
import { statusQueries } from './statuses/index.ts';
import { timelineQueries } from './timelines/index.ts';

/** Every endpoint that reads. Literal paths come before those with parameters. */
export const queryEndpoints = [
  ...accountQueries,
  ...appQueries,
  ...blockQueries,
  ...domainBlockQueries,
  ...emailQueries,
  ...endorsementQueries,
  ...followRequestQueries,
  ...muteQueries,
  ...statusQueries,
  ...timelineQueries,
];
