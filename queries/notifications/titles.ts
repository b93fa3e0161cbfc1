import type { NotificationType } from '#mastodon/notification-types.ts';

/**
 * Describes a notification in a few words, without a character that HTML escapes; `name` is the actor, as
 * text or as HTML.
 */
export const NOTIFICATION_TITLES: Record<NotificationType, (name: string) => string> = {
  mention: (name) => `${name} mentioned you`,
  status: (name) => `${name} just posted`,
  reblog: (name) => `${name} boosted your post`,
  follow: (name) => `${name} is now following you`,
  follow_request: (name) => `${name} wants to follow you`,
  favourite: (name) => `${name} favourited your post`,
  poll: (name) => `A poll by ${name} has ended`,
  update: (name) => `${name} edited a post that you boosted`,
  quote: (name) => `${name} quoted your post`,
  quoted_update: (name) => `${name} edited a post that you quoted`,
  added_to_collection: (name) => `${name} added you to a collection`,
  collection_update: (name) => `${name} changed a collection that you are in`,
  'admin.sign_up': (name) => `${name} signed up`,
  'admin.report': (name) => `${name} filed a report`,
  severed_relationships: () => 'Some of your connections were ended',
  moderation_warning: () => 'You have received a moderation warning',
};
