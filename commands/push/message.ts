import type { Pushable } from '../../queries/push/index.ts';
import type { NotificationType } from '../../src/events/notifications.ts';
import { plainText } from '../../src/kernel/html.ts';
import type { PushMessage } from '../../src/kernel/services/push.ts';

/** In characters; a push service takes 4096 bytes of the whole message. Bodies as long as Mastodon's. */
const MAX_NAME = 100;
const MAX_BODY = 140;

/** What an app shows of a notification without asking for it. A post with a content warning shows only that. */
export function pushMessage(notificationId: string, pushable: Pushable): PushMessage {
  const { type, locale, from, own, status } = pushable;
  const warning = status?.spoiler_text ?? '';
  // What people write of themselves is no news to them.
  const rest = status?.content ?? (own ? '' : from.note);
  return {
    notification_id: notificationId,
    notification_type: type,
    preferred_locale: locale,
    icon: from.avatar_static,
    title: titleOf(pushable),
    body: shortened(warning === '' ? plainText(rest) : warning, MAX_BODY),
  };
}

function titleOf({ type, own, from }: Pushable): string {
  if (type === 'poll' && own) return 'Your poll has ended';
  const name = shortened(from.display_name === '' ? from.username : from.display_name, MAX_NAME);
  return TITLES[type](name);
}

const TITLES: Record<NotificationType, (name: string) => string> = {
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
  'admin.sign_up': (name) => `${name} signed up`,
  'admin.report': (name) => `${name} filed a report`,
  severed_relationships: () => 'Some of your connections were ended',
  moderation_warning: () => 'You have received a moderation warning',
};

/** Cut between characters, not within one. */
function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2 + 2));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
