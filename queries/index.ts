import { accountQueries } from './accounts/index.ts';
import { appQueries } from './apps/index.ts';
import { customEmojiQueries } from './custom-emojis/index.ts';
import { emailQueries } from './emails/index.ts';
import { featuredTagQueries } from './featured-tags/index.ts';
import { followRequestQueries } from './follow-requests/index.ts';
import { followedTagQueries } from './followed-tags/index.ts';
import { markerQueries } from './markers/index.ts';
import { preferenceQueries } from './preferences/index.ts';
import { profileQueries } from './profile/index.ts';
import { statusQueries } from './statuses/index.ts';
import { tagQueries } from './tags/index.ts';
import { timelineQueries } from './timelines/index.ts';
import { translationQueries } from './translation/index.ts';

/** Every endpoint that reads. Literal paths come before those with parameters. */
export const queryEndpoints = [
  ...accountQueries,
  ...appQueries,
  ...customEmojiQueries,
  ...emailQueries,
  ...featuredTagQueries,
  ...followRequestQueries,
  ...followedTagQueries,
  ...markerQueries,
  ...preferenceQueries,
  ...profileQueries,
  ...statusQueries,
  ...tagQueries,
  ...timelineQueries,
  ...translationQueries,
];
