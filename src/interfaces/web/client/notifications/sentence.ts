import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { nameLink } from '#interfaces/web/entities/byline.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import type {
  Account,
  NotificationGroup,
  RelationshipSeveranceEvent,
  Status,
} from '#mastodon/schemas/index.ts';

/** A group of notifications with what it refers to. */
export interface Told {
  group: NotificationGroup;
  /** Newest first. */
  accounts: readonly Account[];
  status: Status | undefined;
}

/** Says in a sentence what happened. */
export const sentenceOf = (told: Told, view: View): Html => SENTENCES[told.group.type](told, view);

type Sentence = (told: Told, view: View) => Html;

/** A sentence that begins with the accounts. */
const said =
  (verb: string | ((told: Told, view: View) => Part)): Sentence =>
  (told, view) =>
    html`${actorsOf(told, view)} ${typeof verb === 'string' ? verb : verb(told, view)}`;

const SENTENCES: Readonly<Record<NotificationType, Sentence>> = {
  mention: said(({ status }, view) => (status ? mentionVerb(status, view) : 'mentioned you')),
  status: said('just posted'),
  reblog: said('boosted your post'),
  favourite: said('favourited your post'),
  follow: said('followed you'),
  follow_request: said('has requested to follow you'),
  quote: said('quoted your post'),
  poll: (told, view) =>
    told.status?.account.id === view.user?.id
      ? html`Your poll has ended`
      : html`A poll by ${actorsOf(told, view)} has ended`,
  update: said('edited a post that you boosted'),
  quoted_update: said('edited a post that you quoted'),
  added_to_collection: said('added you to a collection'),
  collection_update: said('changed a collection that you are in'),
  'admin.sign_up': said('signed up'),
  'admin.report': said(
    ({ group: { report } }, view) =>
      html`reported ${report ? nameLink(report.target_account, view) : 'an account'}`,
  ),
  severed_relationships: ({ group: { event } }) =>
    html`${event ? severance(event) : 'You lost some of your connections'}`,
  moderation_warning: ({ group }) => html`${WARNINGS[group.moderation_warning?.action ?? 'none']}`,
};

/** The post itself says when it is private. */
const mentionVerb = ({ in_reply_to_account_id: to }: Status, { user }: View): string =>
  to !== null && to === user?.id ? 'replied to your post' : 'mentioned you';

/** `Alice`, `Alice and Bob`, `Alice and 3 others`. */
function actorsOf({ group, accounts: [first, second] }: Told, view: View): Html {
  const others = group.notifications_count - 1;
  if (!first) return html`Somebody`;
  if (others <= 0) return nameLink(first, view);
  const rest = others === 1 && second ? nameLink(second, view) : counted(others, 'other');
  return html`${nameLink(first, view)} and ${rest}`;
}

const WARNINGS = {
  none: 'You have received a moderation warning',
  disable: 'Your account has been disabled',
  mark_statuses_as_sensitive: 'Some of your posts have been marked as sensitive',
  delete_statuses: 'Some of your posts have been removed',
  sensitive: 'Your posts will be marked as sensitive from now on',
  silence: 'Your account has been limited',
  suspend: 'Your account has been suspended',
} as const;

function severance({
  type,
  target_name,
  followers_count,
  following_count,
}: RelationshipSeveranceEvent): string {
  const reason = {
    domain_block: `A moderator blocked ${target_name}`,
    user_domain_block: `You blocked ${target_name}`,
    account_suspension: `A moderator suspended ${target_name}`,
  }[type];
  const followed = counted(following_count, 'account that you followed', 'accounts that you followed');
  return `${reason}: you lost ${counted(followers_count, 'follower')} and ${followed}`;
}
