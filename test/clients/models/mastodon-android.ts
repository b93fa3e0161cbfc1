import { z } from 'zod';
import { flag, int32, int32InText, maybe, type Models, text, textOrNumber, time } from './kinds.ts';

/**
 * The official app for Android: https://github.com/mastodon/mastodon-android,
 * mastodon/src/main/java/org/joinmastodon/android/model, at 24ab4a0. Members marked as required there make a
 * reply fail when they are null. Primitive types accept a number or nothing. Moshidon (LucasGGamerM/moshidon,
 * b6a4211) has these models too.
 */

/** A primitive type of Java, which has a default when the member is absent. */
const number = maybe(int32InText);
const long = maybe(z.union([z.number(), z.string().regex(/^-?\d+$/)]));
const bool = maybe(flag);

const emoji = z.object({ shortcode: text, url: text, static_url: text, visible_in_picker: flag });
const field = z.object({ name: text, value: text, verified_at: maybe(time) });
const account = z.object({
  id: text,
  username: text,
  acct: text,
  url: text,
  display_name: text,
  note: text,
  avatar: text,
  avatar_static: maybe(text),
  header: text,
  header_static: maybe(text),
  locked: bool,
  bot: bool,
  emojis: maybe(z.array(emoji)),
  fields: maybe(z.array(field)),
  discoverable: bool,
  created_at: time,
  last_status_at: maybe(z.iso.date()),
  statuses_count: long,
  followers_count: long,
  following_count: long,
  suspended: bool,
  mute_expires_at: maybe(time),
  noindex: bool,
  show_media: bool,
  show_featured: bool,
  roles: maybe(z.array(z.object({ id: text, name: text, color: maybe(text) }))),
  role: maybe(z.object({ id: text, permissions: number })),
  source: maybe(
    z.object({ note: text, fields: z.array(field), privacy: maybe(text), language: maybe(text) }),
  ),
});
const sized = z.object({
  width: number,
  height: number,
  aspect: maybe(z.number()),
  duration: maybe(z.number()),
});
const attachment = z.object({
  id: text,
  type: text,
  url: text,
  preview_url: maybe(text),
  remote_url: maybe(text),
  description: maybe(text),
  blurhash: maybe(text),
  meta: maybe(sized.extend({ original: maybe(sized), small: maybe(sized) })),
});
const history = z.array(z.object({ day: textOrNumber, uses: int32InText, accounts: int32InText }));
const hashtag = z.object({
  name: text,
  url: text,
  history: maybe(history),
  statuses_count: number,
  following: bool,
  id: maybe(text),
});
const mention = z.object({ id: text, username: text, acct: text, url: text });
const poll = z.object({
  id: text,
  expires_at: maybe(time),
  expired: bool,
  multiple: bool,
  voters_count: number,
  voted: bool,
  votes_count: number,
  own_votes: z.array(int32),
  emojis: z.array(emoji),
  options: z.array(z.object({ title: text, votes_count: maybe(int32) })),
});
const card = z.object({
  url: text,
  title: text,
  description: text,
  type: z.enum(['link', 'photo', 'video', 'rich']),
  width: number,
  height: number,
  image: maybe(text),
  history: maybe(history),
  published_at: maybe(time),
  authors: maybe(z.array(z.object({ name: text, url: maybe(text), account: maybe(account) }))),
});
const filter = z.object({
  id: text,
  title: text,
  context: z.array(text),
  expires_at: maybe(time),
  keywords: maybe(z.array(z.object({ id: text, keyword: text, whole_word: flag }))),
  statuses: maybe(z.array(z.object({ id: text, status_id: text }))),
});
const collection = z.object({
  id: text,
  account_id: text,
  name: text,
  url: text,
  created_at: time,
  item_count: number,
  tag: maybe(z.object({ name: text, url: text })),
  items: z.array(z.object({ id: text, account_id: text, state: text, created_at: time })),
});
const plainStatus = z.object({
  id: text,
  uri: text,
  created_at: time,
  account,
  content: maybe(text),
  spoiler_text: text,
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  sensitive: bool,
  media_attachments: z.array(attachment),
  mentions: z.array(mention),
  tags: z.array(hashtag),
  emojis: z.array(emoji),
  reblogs_count: long,
  favourites_count: long,
  replies_count: long,
  quotes_count: long,
  edited_at: maybe(time),
  url: maybe(text),
  in_reply_to_id: maybe(text),
  poll: maybe(poll),
  card: maybe(card),
  language: maybe(text),
  text: maybe(text),
  application: maybe(z.object({ name: text, website: maybe(text) })),
  filtered: maybe(z.array(z.object({ filter, keyword_matches: maybe(z.array(text)) }))),
  quote_approval: maybe(
    z.object({ automatic: z.array(text), manual: maybe(z.array(text)), current_user: text }),
  ),
  quote: maybe(z.object({ state: maybe(text), quoted_status_id: maybe(text) })),
  tagged_collections: maybe(z.array(collection)),
});
const status = plainStatus.extend({ reblog: maybe(plainStatus) });
const subjects = {
  event: maybe(z.object({ type: text, target_name: text, followers_count: number, following_count: number })),
  moderation_warning: maybe(z.object({ id: text, action: text, text: maybe(text) })),
  collection: maybe(collection),
};
const marker = z.object({ last_read_id: text, version: z.number(), updated_at: time });
const instance = {
  title: text,
  description: text,
  version: text,
  languages: maybe(z.array(text)),
  rules: maybe(z.array(z.object({ id: text, text, hint: maybe(text) }))),
  configuration: maybe(
    z.object({
      statuses: maybe(z.object({ max_characters: number, max_media_attachments: number })),
      media_attachments: maybe(z.object({ image_size_limit: number, video_size_limit: number })),
      polls: maybe(z.object({ max_options: number, max_expiration: number })),
      vapid: maybe(z.object({ public_key: text })),
    }),
  ),
};

export const MASTODON_ANDROID: Models = {
  Account: account,
  Application: z.object({ name: text, client_id: maybe(text), client_secret: maybe(text) }),
  CollectionWithAccounts: z.object({ accounts: z.array(account), collection }),
  Collection: z.object({ collection }),
  Collections: z.object({ collections: z.array(collection) }),
  Context: z.object({ ancestors: z.array(status), descendants: z.array(status) }),
  CustomEmoji: emoji,
  DeletedStatus: status,
  FamiliarFollowers: z.object({ id: text, accounts: z.array(account) }),
  FeaturedTag: hashtag,
  Filter: filter,
  GroupedNotifications: z.object({
    accounts: z.array(account),
    statuses: z.array(status),
    notification_groups: z.array(
      z.object({
        group_key: text,
        notifications_count: number,
        most_recent_notification_id: textOrNumber,
        type: text,
        page_min_id: maybe(text),
        page_max_id: maybe(text),
        status_id: maybe(text),
        // The app refuses groups without accounts, except those about the reader alone.
        sample_account_ids: z.array(text).min(1),
        fallback: maybe(z.object({ title: text, summary: text })),
        report: maybe(z.object({ id: text, target_account: account })),
        ...subjects,
      }),
    ),
  }),
  Instance: z.object({
    ...instance,
    domain: text,
    api_versions: maybe(z.record(text, int32)),
    registrations: z.object({
      enabled: bool,
      approval_required: bool,
      min_age: number,
      reason_required: bool,
    }),
    contact: maybe(z.object({ email: maybe(text), account: maybe(account) })),
  }),
  List: z.object({
    id: text,
    title: text,
    replies_policy: z.enum(['followed', 'list', 'none']),
    exclusive: bool,
  }),
  Markers: z.object({ home: maybe(marker), notifications: maybe(marker) }),
  MediaAttachment: attachment,
  Notification: z.object({
    id: text,
    type: text,
    created_at: time,
    account,
    status: maybe(status),
    ...subjects,
  }),
  NotificationRequest: z.object({
    id: text,
    created_at: time,
    updated_at: time,
    account,
    notifications_count: number,
    last_status: maybe(status),
  }),
  Poll: poll,
  Preferences: z.object({
    'posting:default:visibility': maybe(text),
    'posting:default:sensitive': bool,
    'posting:default:language': maybe(text),
    'posting:default:quote_policy': maybe(text),
    'reading:expand:media': maybe(text),
    'reading:expand:spoilers': bool,
  }),
  Profile: z.object({
    id: text,
    fields: z.array(field),
    featured_tags: z.array(hashtag),
    display_name: maybe(text),
    show_media: bool,
    show_media_replies: bool,
    show_featured: bool,
  }),
  Relationship: z.object({
    id: text,
    following: bool,
    requested: bool,
    endorsed: bool,
    followed_by: bool,
    muting: bool,
    blocking: bool,
    domain_blocking: bool,
    note: maybe(text),
  }),
  Search: z.object({
    accounts: maybe(z.array(account)),
    statuses: maybe(z.array(status)),
    hashtags: maybe(z.array(hashtag)),
    collections: maybe(z.array(collection)),
  }),
  Status: status,
  StatusSource: z.object({ text: maybe(text), spoiler_text: maybe(text) }),
  Suggestion: z.object({ account }),
  Tag: hashtag,
  Token: z.object({ access_token: text, created_at: z.number() }),
  V1Filter: z.object({
    id: text,
    phrase: text,
    expires_at: maybe(time),
    irreversible: bool,
    whole_word: bool,
  }),
  V1Instance: z.object({ ...instance, uri: text, email: text, urls: maybe(z.record(text, text)) }),
  V1NotificationPolicy: z.object({
    filter_not_following: flag,
    filter_not_followers: flag,
    filter_new_accounts: flag,
    filter_private_mentions: flag,
    summary: maybe(z.object({ pending_notifications_count: number, pending_requests_count: number })),
  }),
  WebPushSubscription: z.object({
    id: int32InText,
    endpoint: text,
    alerts: z.record(text, flag),
    server_key: text,
    policy: z.enum(['all', 'followed', 'follower', 'none']),
  }),
};
