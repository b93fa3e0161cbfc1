import type { WebPage } from '../page/page.ts';
import { adminAnnouncementPages } from './announcements/index.ts';
import { adminCustomEmojiPages } from './custom-emojis/index.ts';
import { federationListPages } from './federation/index.ts';
import { adminRolePages } from './roles/index.ts';
import { adminRulePages } from './rules/index.ts';
import { adminSettingsPages } from './settings/index.ts';
import { signUpBlockPages } from './sign-up-blocks/index.ts';
import { termsPages } from './terms/index.ts';
import { trendPages } from './trends/index.ts';

/** The pages of the group "Server". */
export const serverPages: readonly WebPage[] = [
  ...trendPages,
  ...federationListPages,
  ...signUpBlockPages,
  ...adminAnnouncementPages,
  ...adminRulePages,
  ...termsPages,
  ...adminCustomEmojiPages,
  ...adminSettingsPages,
  ...adminRolePages,
];
