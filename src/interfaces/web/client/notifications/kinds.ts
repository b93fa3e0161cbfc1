import type { IconName } from '#interfaces/web/design/icons.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';

interface Kind {
  /** The name of all notifications of this kind. */
  label: string;
  icon: IconName;
  /** Only staff gets them. */
  staff?: true;
  /** The whole post is shown with its buttons, instead of an excerpt. */
  whole?: true;
}

/** The kinds of notifications, in the order of the menu. */
export const KINDS: Readonly<Record<NotificationType, Kind>> = {
  mention: { label: 'Mentions', icon: 'at-sign', whole: true },
  status: { label: 'New posts', icon: 'bell', whole: true },
  reblog: { label: 'Boosts', icon: 'repeat-2' },
  favourite: { label: 'Favourites', icon: 'star' },
  follow: { label: 'New followers', icon: 'user-plus' },
  follow_request: { label: 'Follow requests', icon: 'user-plus' },
  quote: { label: 'Quotes', icon: 'quote', whole: true },
  poll: { label: 'Poll results', icon: 'chart-no-axes-column', whole: true },
  update: { label: 'Edits', icon: 'pencil' },
  quoted_update: { label: 'Edits of quoted posts', icon: 'pencil' },
  added_to_collection: { label: 'Added to collections', icon: 'list' },
  collection_update: { label: 'Changed collections', icon: 'list' },
  severed_relationships: { label: 'Lost connections', icon: 'user-x' },
  moderation_warning: { label: 'Moderation warnings', icon: 'triangle-alert' },
  'admin.sign_up': { label: 'Sign-ups', icon: 'user', staff: true },
  'admin.report': { label: 'Reports', icon: 'flag', staff: true },
};

const TYPES = Object.keys(KINDS) as NotificationType[];

/** Returns the kinds that a user can get. */
export const kindsFor = ({ role }: { role: string | null }): NotificationType[] =>
  TYPES.filter((type) => role !== null || KINDS[type].staff !== true);

/** Returns the kind that a page is limited to; undefined for all kinds, and for an unknown one. */
export const kindIn = (
  query: URLSearchParams,
  kinds: readonly NotificationType[],
): NotificationType | undefined => kinds.find((type) => type === query.get('type'));
