import type { AnyEvent } from '../kernel/event.ts';
import { accountEvents } from './accounts.ts';
import { alertEvents } from './alerts.ts';
import { announcementEvents } from './announcements.ts';
import { auditEvents } from './audit.ts';
import { portabilityEvents } from './portability.ts';
import { annualReportEvents } from './annual-reports.ts';
import { domainBlockEvents } from './admin-domain-blocks.ts';
import { applicationEvents } from './apps.ts';
import { canonicalEmailBlockEvents } from './canonical-email-blocks.ts';
import { federationEvents } from './federation.ts';
import { domainAllowEvents } from './domain-allows.ts';
import { operationEvents } from './operation.ts';
import { projectionEvents } from './projections.ts';
import { relayEvents } from './relays.ts';
import { emailDomainBlockEvents } from './email-domain-blocks.ts';
import { ipBlockEvents } from './ip-blocks.ts';
import { filterEvents } from './filters.ts';
import { instanceEvents } from './instance.ts';
import { listEvents } from './lists.ts';
import { collectionEvents } from './collections.ts';
import { customEmojiEvents } from './custom-emojis.ts';
import { userDomainBlockEvents } from './domain-blocks.ts';
import { conversationEvents } from './conversations.ts';
import { markerEvents } from './markers.ts';
import { mediaEvents } from './media.ts';
import { interactionEvents } from './interactions.ts';
import { notificationEvents } from './notifications.ts';
import { pollEvents } from './polls.ts';
import { relationshipEvents } from './relationships.ts';
import { quotaEvents } from './quotas.ts';
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
