import { showActivity } from './activity.ts';
import { listInstanceDomainBlocks } from './domain-blocks.ts';
import { showDonationCampaign } from './donation-campaigns.ts';
import { listLanguages } from './languages.ts';
import { searchPeers } from './peer-search.ts';
import { listPeers } from './peers.ts';
import { listRules } from './rules.ts';
import { showInstance } from './show.ts';
import { showInstanceV1 } from './show-v1.ts';
import { showTerms, showTermsOfDate } from './terms.ts';
import { showExtendedDescription, showPrivacyPolicy } from './texts.ts';

export { appsOf, fillAddress, listedApps, type OfferedApp, type OfferedApps } from './apps.ts';
export { thumbnailUrl, titleOf } from './common.ts';
export { instanceFacts, printedOnce, type InstanceFacts } from './facts.ts';
export { rulesOf } from './rules.ts';
export { privacyPolicyOf } from './privacy-policy.ts';
export { instanceSettings } from './settings.ts';
export { termsOfService } from './terms.ts';

export const instanceQueries = [
  showInstance,
  showInstanceV1,
  listRules,
  showExtendedDescription,
  showPrivacyPolicy,
  showTerms,
  showTermsOfDate,
  listPeers,
  searchPeers,
  showActivity,
  listLanguages,
  listInstanceDomainBlocks,
  showDonationCampaign,
];
