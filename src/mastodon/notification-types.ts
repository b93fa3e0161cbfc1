/** https://docs.joinmastodon.org/entities/Notification/#type */
export const NOTIFICATION_TYPES = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
  'quote',
  'quoted_update',
  'added_to_collection',
  'collection_update',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
