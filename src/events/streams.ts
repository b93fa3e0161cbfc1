/** Categories whose streams are named by an id (`src/kernel/ids.ts`), sometimes followed by more. */
const BY_ID = [
  'account',
  'activity',
  'alert',
  'announcement',
  'announcement-reader',
  'annual-report',
  'application',
  'audit-export',
  'audit-view',
  'cleared-notifications',
  'collection',
  'conversation',
  'data-export',
  'data-import',
  'dismissed-suggestion',
  'featured-tags',
  'filter',
  'interaction',
  'list',
  'maintenance',
  'markers',
  'media',
  'notification',
  'notification-group',
  'notification-request',
  'notifications',
  'recommendation',
  'relationship',
  'report',
  'scheduled-status',
  'severed-relationships',
  'status',
  'tag-follows',
  'user-domain-block',
  'vote',
] as const;

/** Categories whose streams are named by a digest: of an address, a URI or a handle. */
const BY_DIGEST = [
  'canonical-email-block',
  'email',
  'ip-block',
  'relay',
  'remote-handle',
  'remote-uri',
] as const;

/** Categories whose streams are named by anything else. */
const BY_NAME = [
  'access-tokens',
  'custom-emoji',
  'damaged-event',
  'domain-allow',
  'domain-block',
  'email-domain-block',
  'operation',
  'projection',
  'quota',
  'restore',
  'server-key',
  'tag',
  'trend-review',
  'username',
] as const;

const ID = '(?:0|[1-9][0-9]{0,18})';

/**
 * Matches the names of the streams of this program. A server of EventStoreDB may hold streams of other programs, which are none
 * of its business: this is also the filter that the server applies, so it keeps to what regular expressions of .NET share.
 */
export const STREAM_NAMES = new RegExp(
  `^(?:instance$|(?:${BY_ID.join('|')})-${ID}(?:-|$)|(?:${BY_DIGEST.join('|')})-[0-9a-f]{32,64}$|(?:${BY_NAME.join('|')})-.)`,
);
