import { z } from 'zod';
import { address, decimal, flag, int64, maybe, type Models, text, time } from './kinds.ts';

/**
 * Ice Cubes for iOS: https://github.com/Dimillian/IceCubesApp, Packages/Models/Sources/Models, at 0fc41d2.
 * Its enumerations without a default case fail on unknown values.
 */

const emoji = z.object({ shortcode: text, url: address, visible_in_picker: flag, category: maybe(text) });
const field = z.object({ name: text, value: text, verified_at: maybe(text) });
const visibility = z.enum(['public', 'unlisted', 'private', 'direct']);
const account = z.object({
  id: text,
  username: text,
  display_name: maybe(text),
  avatar: address,
  header: address,
  acct: text,
  note: text,
  created_at: time,
  fields: z.array(field),
  locked: flag,
  emojis: z.array(emoji),
  bot: flag,
  followers_count: maybe(int64),
  following_count: maybe(int64),
  statuses_count: maybe(int64),
  url: maybe(address),
  discoverable: maybe(flag),
  last_status_at: maybe(text),
  source: maybe(
    z.object({
      privacy: maybe(visibility),
      sensitive: flag,
      language: maybe(text),
      note: text,
      fields: z.array(field),
    }),
  ),
});
const attachment = z.object({
  id: text,
  type: text,
  url: maybe(address),
  preview_url: maybe(address),
  description: maybe(text),
  meta: maybe(z.object({ original: maybe(z.object({ width: maybe(int64), height: maybe(int64) })) })),
});
const mention = z.object({ id: text, username: text, url: address, acct: text });
const poll = z.object({
  id: text,
  expires_at: maybe(time),
  expired: flag,
  multiple: flag,
  votes_count: int64,
  voters_count: maybe(int64),
  voted: maybe(flag),
  own_votes: maybe(z.array(int64)),
  options: z.array(z.object({ title: text, votes_count: maybe(int64) })),
});
const history = z.array(z.object({ day: text, accounts: text, uses: text }));
const card = z.object({
  url: text,
  title: maybe(text),
  author_name: maybe(text),
  description: maybe(text),
  type: text,
  image: maybe(address),
  width: maybe(decimal),
  height: maybe(decimal),
  history: maybe(history),
  authors: maybe(z.array(z.object({ name: text, url: text, account: maybe(account) }))),
});
const filtered = z.object({
  filter: z.object({
    id: text,
    title: text,
    context: z.array(text),
    filter_action: z.enum(['warn', 'hide']),
  }),
  keyword_matches: maybe(z.array(text)),
});
const quoteApproval = z.object({
  current_user: z.enum(['automatic', 'manual', 'denied', 'unknown']),
  automatic: z.array(text),
  manual: z.array(text),
});
const plainStatus = z.object({
  id: text,
  content: text,
  account,
  created_at: time,
  edited_at: maybe(time),
  visibility,
  media_attachments: z.array(attachment),
  mentions: z.array(mention),
  emojis: z.array(emoji),
  replies_count: int64,
  reblogs_count: int64,
  favourites_count: int64,
  quotes_count: maybe(int64),
  favourited: maybe(flag),
  reblogged: maybe(flag),
  pinned: maybe(flag),
  bookmarked: maybe(flag),
  url: maybe(text),
  in_reply_to_id: maybe(text),
  in_reply_to_account_id: maybe(text),
  poll: maybe(poll),
  card: maybe(card),
  spoiler_text: text,
  sensitive: flag,
  language: maybe(text),
  filtered: maybe(z.array(filtered)),
  tags: z.array(z.object({ name: text, url: text })),
  quote_approval: maybe(quoteApproval),
});
const status = plainStatus.extend({ reblog: maybe(plainStatus) });
const verdict = z.enum(['accept', 'filter', 'drop']);
const marker = z.object({ last_read_id: text, version: int64, updated_at: time });

export const ICE_CUBES: Models = {
  Account: account,
  Application: z.object({
    id: text,
    name: text,
    website: maybe(address),
    redirect_uri: text,
    client_id: text,
    client_secret: text,
    vapid_key: maybe(text),
  }),
  Context: z.object({ ancestors: z.array(status), descendants: z.array(status) }),
  Conversation: z.object({ id: text, unread: flag, last_status: maybe(status), accounts: z.array(account) }),
  CustomEmoji: emoji,
  FamiliarFollowers: z.object({ id: text, accounts: z.array(account) }),
  FeaturedTag: z.object({ id: text, name: text, url: address }),
  Filter: z.object({
    id: text,
    title: text,
    filter_action: z.enum(['warn', 'hide']),
    expires_at: maybe(time),
    context: z.array(z.enum(['home', 'notifications', 'public', 'thread', 'account'])),
    keywords: z.array(z.object({ id: text, keyword: text, whole_word: flag })),
  }),
  GroupedNotifications: z.object({
    accounts: z.array(account),
    statuses: z.array(status),
    notification_groups: z.array(
      z.object({
        group_key: text,
        notifications_count: int64,
        type: text,
        most_recent_notification_id: int64,
        page_min_id: maybe(text),
        page_max_id: maybe(text),
        latest_page_notification_at: time,
        sample_account_ids: z.array(text),
        status_id: maybe(text),
      }),
    ),
  }),
  Instance: z.object({
    title: text,
    domain: text,
    description: maybe(text),
    version: text,
    registrations: z.object({ enabled: flag }),
    thumbnail: z.object({ url: maybe(address) }),
    contact: z.object({ email: text, account: maybe(account) }),
    api_versions: maybe(z.object({ mastodon: maybe(int64) })),
    usage: maybe(z.object({ users: maybe(z.object({ active_month: maybe(int64) })) })),
    rules: maybe(z.array(z.object({ id: text, text }))),
    configuration: maybe(
      z.object({
        statuses: z.object({ max_characters: int64, max_media_attachments: int64 }),
        polls: z.object({
          max_options: int64,
          max_characters_per_option: int64,
          min_expiration: int64,
          max_expiration: int64,
        }),
      }),
    ),
  }),
  List: z.object({
    id: text,
    title: text,
    exclusive: maybe(flag),
    replies_policy: maybe(z.enum(['followed', 'list', 'none'])),
  }),
  Markers: z.object({ notifications: maybe(marker), home: maybe(marker) }),
  MediaAttachment: attachment,
  Notification: z.object({
    id: text,
    type: text,
    created_at: time,
    account,
    status: maybe(status),
    group_key: maybe(text),
  }),
  NotificationPolicy: z.object({
    for_not_following: verdict,
    for_not_followers: verdict,
    for_new_accounts: verdict,
    for_private_mentions: verdict,
    for_limited_accounts: verdict,
    summary: z.object({ pending_requests_count: int64, pending_notifications_count: int64 }),
  }),
  NotificationRequest: z.object({ id: text, account, notifications_count: text }),
  Poll: poll,
  Preferences: z.object({
    'posting:default:visibility': maybe(visibility),
    'posting:default:sensitive': maybe(flag),
    'posting:default:language': maybe(text),
    'reading:expand:media': maybe(z.enum(['show_all', 'hide_all', 'default'])),
    'reading:expand:spoilers': maybe(flag),
  }),
  Search: z.object({
    accounts: z.array(account),
    statuses: z.array(status),
    hashtags: z.array(z.object({ name: text, url: text })),
  }),
  Status: status,
  StatusEdit: z.object({ content: text, created_at: time, emojis: z.array(emoji) }),
  Tag: z.object({ name: text, url: text }),
  Token: z.object({ access_token: text, token_type: text, scope: text, created_at: decimal }),
  WebPushSubscription: z.object({
    id: int64,
    endpoint: address,
    server_key: text,
    alerts: z.object({
      follow: flag,
      favourite: flag,
      reblog: flag,
      mention: flag,
      poll: flag,
      status: flag,
    }),
  }),
};
