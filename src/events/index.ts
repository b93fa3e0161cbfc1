import type { AnyEvent } from '#kernel/event.ts';
import { accountEvents } from './accounts.ts';
import { domainBlockEvents } from './admin-domain-blocks.ts';
import { alertEvents } from './alerts.ts';
import { announcementEvents } from './announcements.ts';
import { annualReportEvents } from './annual-reports.ts';
import { applicationEvents } from './apps.ts';
import { auditEvents } from './audit.ts';
import { canonicalEmailBlockEvents } from './canonical-email-blocks.ts';
import { collectionEvents } from './collections.ts';
import { conversationEvents } from './conversations.ts';
import { customEmojiEvents } from './custom-emojis.ts';
import { domainAllowEvents } from './domain-allows.ts';
import { userDomainBlockEvents } from './domain-blocks.ts';
import { emailDomainBlockEvents } from './email-domain-blocks.ts';
import { federationEvents } from './federation.ts';
import { filterEvents } from './filters.ts';
import { instanceEvents } from './instance.ts';
import { interactionEvents } from './interactions.ts';
import { ipBlockEvents } from './ip-blocks.ts';
import { listEvents } from './lists.ts';
import { markerEvents } from './markers.ts';
import { mediaEvents } from './media.ts';
import { notificationEvents } from './notifications.ts';
import { operationEvents } from './operation.ts';
import { pollEvents } from './polls.ts';
import { portabilityEvents } from './portability.ts';
import { projectionEvents } from './projections.ts';
import { quotaEvents } from './quotas.ts';
import { relationshipEvents } from './relationships.ts';
import { relayEvents } from './relays.ts';
import { reportEvents } from './reports.ts';
import { scheduledStatusEvents } from './scheduled-statuses.ts';
import { severanceEvents } from './severed-relationships.ts';
import { statusEvents } from './statuses.ts';
import { suggestionEvents } from './suggestions.ts';
import { tagEvents, tagReviewEvents } from './tags.ts';
import { trendReviewEvents } from './trends.ts';

/** The catalogue of all event types. */
export const catalogue: readonly AnyEvent[] = [
  ...accountEvents,
  ...alertEvents,
  ...announcementEvents,
  ...annualReportEvents,
  ...applicationEvents,
  ...auditEvents,
  ...portabilityEvents,
  ...canonicalEmailBlockEvents,
  ...federationEvents,
  ...domainAllowEvents,
  ...operationEvents,
  ...projectionEvents,
  ...relayEvents,
  ...domainBlockEvents,
  ...emailDomainBlockEvents,
  ...ipBlockEvents,
  ...filterEvents,
  ...instanceEvents,
  ...listEvents,
  ...collectionEvents,
  ...customEmojiEvents,
  ...userDomainBlockEvents,
  ...conversationEvents,
  ...markerEvents,
  ...mediaEvents,
  ...interactionEvents,
  ...notificationEvents,
  ...pollEvents,
  ...relationshipEvents,
  ...quotaEvents,
  ...reportEvents,
  ...scheduledStatusEvents,
  ...severanceEvents,
  ...statusEvents,
  ...suggestionEvents,
  ...tagEvents,
  ...tagReviewEvents,
  ...trendReviewEvents,
];
