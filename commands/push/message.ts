import type { PushMessage } from '#kernel/services/push.ts';
import { plainText } from '#mastodon/html.ts';
import { NOTIFICATION_TITLES } from '#queries/notifications/index.ts';
import type { Pushable } from '#queries/push/index.ts';

/** Characters; a push service accepts 4096 bytes for the whole message. Bodies are as long as Mastodon's. */
const MAX_NAME = 100;
const MAX_BODY = 140;

/**
 * Returns the text that an app shows without further requests. A post with a content warning shows only the
 * warning.
 */
export function pushMessage(notificationId: string, pushable: Pushable): PushMessage {
  const { type, locale, from, own, status } = pushable;
  const warning = status?.spoiler_text ?? '';
  // A user's own bio is not shown to them.
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
  return NOTIFICATION_TITLES[type](name);
}

/** Cuts between characters, never within one. */
function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2 + 2));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
