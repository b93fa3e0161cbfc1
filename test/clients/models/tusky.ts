import { z } from 'zod';
import { flag, int32, int32InText, maybe, type Models, text, time, unlessAbsent } from './kinds.ts';

/**
 * Tusky for Android: https://github.com/tuskyapp/Tusky, app/src/main/java/com/keylesspalace/tusky/entity, at
 * 43ae0bb.
 */

const emoji = z.object({
  shortcode: text,
  url: text,
  static_url: text,
  visible_in_picker: unlessAbsent(flag),
});
const emojis = z.array(emoji);
const field = z.object({ name: text, value: text, verified_at: maybe(time) });
const timelineAccount = z.object({
  id: text,
  username: text,
  acct: text,
  display_name: maybe(text),
  url: text,
  avatar: text,
  note: text,
  bot: unlessAbsent(flag),
  emojis: unlessAbsent(emojis),
});
const account = timelineAccount.extend({
  created_at: time,
  header: text,
  locked: unlessAbsent(flag),
  followers_count: unlessAbsent(int32),
  following_count: unlessAbsent(int32),
  statuses_count: unlessAbsent(int32),
  fields: unlessAbsent(z.array(field)),
  moved: maybe(z.object({ id: text })),
  roles: unlessAbsent(z.array(z.object({ name: text, color: text }))),
  source: maybe(
    z.object({
      privacy: unlessAbsent(text),
      sensitive: maybe(flag),
      note: maybe(text),
      fields: unlessAbsent(z.array(z.object({ name: text, value: text }))),
      language: maybe(text),
    }),
  ),
});
const size = z.object({
  width: unlessAbsent(int32),
  height: unlessAbsent(int32),
  aspect: unlessAbsent(z.number()),
});
const attachment = z.object({
  id: text,
  url: text,
  type: text,
  preview_url: maybe(text),
  remote_url: maybe(text),
  description: maybe(text),
  blurhash: maybe(text),
  meta: maybe(
    z.object({
      focus: maybe(z.object({ x: maybe(z.number()), y: maybe(z.number()) })),
      duration: maybe(z.number()),
      original: maybe(size),
      small: maybe(size),
    }),
  ),
});
const poll = z.object({
  id: text,
  expires_at: maybe(time),
  expired: flag,
  multiple: flag,
  votes_count: int32,
  voters_count: maybe(int32),
  options: z.array(z.object({ title: text, votes_count: maybe(int32) })),
  voted: unlessAbsent(flag),
  own_votes: unlessAbsent(z.array(int32)),
});
const filterAction = z.enum(['none', 'blur', 'warn', 'hide']);
const filter = z.object({
  id: unlessAbsent(text),
  title: unlessAbsent(text),
  expires_at: maybe(time),
  filter_action: filterAction,
  context: z.array(z.enum(['home', 'notifications', 'public', 'thread', 'account'])),
  keywords: unlessAbsent(z.array(z.object({ id: text, keyword: text, whole_word: flag }))),
});
const tag = z.object({ name: text, url: text, following: maybe(flag) });
const mention = z.object({ id: text, url: text, acct: text, username: text });
const card = z.object({
  url: text,
  title: text,
  type: text,
  description: unlessAbsent(text),
  author_name: maybe(text),
  provider_name: maybe(text),
  image: maybe(text),
  blurhash: maybe(text),
  width: unlessAbsent(int32),
  height: unlessAbsent(int32),
  embed_url: maybe(text),
  authors: unlessAbsent(z.array(z.object({ name: text, url: text, account: maybe(timelineAccount) }))),
});
const plainStatus = z.object({
  id: text,
  url: maybe(text),
  account: timelineAccount,
  content: text,
  created_at: time,
  in_reply_to_id: maybe(text),
  in_reply_to_account_id: maybe(text),
  edited_at: maybe(time),
  emojis,
  reblogs_count: int32,
  favourites_count: int32,
  replies_count: int32,
  spoiler_text: text,
  reblogged: unlessAbsent(flag),
  favourited: unlessAbsent(flag),
  bookmarked: unlessAbsent(flag),
  pinned: unlessAbsent(flag),
  muted: unlessAbsent(flag),
  sensitive: flag,
  language: maybe(text),
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  media_attachments: z.array(attachment),
  mentions: z.array(mention),
  tags: unlessAbsent(z.array(tag)),
  application: maybe(z.object({ name: text, website: maybe(text) })),
  poll: maybe(poll),
  card: maybe(card),
  filtered: maybe(z.array(z.object({ filter }))),
});
const status = plainStatus.extend({ reblog: maybe(plainStatus) });
const warningActions = z.enum([
  ...(['none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses'] as const),
  ...(['sensitive', 'silence', 'suspend'] as const),
]);
const verdict = z.enum(['accept', 'filter', 'drop']);
const rule = z.object({ id: text, text });

export const TUSKY: Models = {
  Account: account,
  Announcement: z.object({
    id: text,
    content: text,
    starts_at: maybe(time),
    ends_at: maybe(time),
    all_day: flag,
    published_at: time,
    updated_at: time,
    read: unlessAbsent(flag),
    emojis,
    mentions: z.array(mention),
    tags: z.array(tag),
    reactions: z.array(
      z.object({
        name: text,
        count: int32,
        me: unlessAbsent(flag),
        url: maybe(text),
        static_url: maybe(text),
      }),
    ),
  }),
  Application: z.object({ client_id: text, client_secret: text }),
  Context: z.object({ ancestors: z.array(status), descendants: z.array(status) }),
  Conversation: z.object({
    id: text,
    accounts: z.array(timelineAccount),
    last_status: maybe(status),
    unread: flag,
  }),
  CustomEmoji: emoji,
  DeletedStatus: z.object({
    text: maybe(text),
    in_reply_to_id: maybe(text),
    spoiler_text: text,
    visibility: text,
    sensitive: flag,
    media_attachments: z.array(attachment),
    poll: maybe(poll),
    created_at: time,
    language: maybe(text),
  }),
  Filter: filter,
  Instance: z.object({
    domain: text,
    version: text,
    rules: unlessAbsent(z.array(rule)),
    api_versions: maybe(z.object({ mastodon: maybe(int32) })),
    configuration: maybe(
      z.object({
        accounts: maybe(z.object({ max_featured_tags: int32, max_profile_fields: maybe(int32) })),
        statuses: maybe(z.object({ max_characters: maybe(int32), max_media_attachments: maybe(int32) })),
        polls: maybe(z.object({ max_options: maybe(int32), max_expiration: maybe(int32) })),
        translation: maybe(z.object({ enabled: flag })),
      }),
    ),
  }),
  List: z.object({ id: text, title: text, exclusive: maybe(flag), replies_policy: maybe(text) }),
  Markers: z.record(text, z.object({ last_read_id: text, version: int32, updated_at: time })),
  MediaAttachment: attachment,
  Notification: z.object({
    id: text,
    type: text,
    account: timelineAccount,
    status: maybe(status),
    report: maybe(
      z.object({
        id: text,
        category: text,
        status_ids: maybe(z.array(text)),
        created_at: time,
        target_account: timelineAccount,
      }),
    ),
    event: maybe(
      z.object({
        id: text,
        target_name: text,
        followers_count: int32,
        following_count: int32,
        type: z.enum(['domain_block', 'user_domain_block', 'account_suspension']),
      }),
    ),
    moderation_warning: maybe(z.object({ id: text, action: warningActions })),
  }),
  NotificationPolicy: z.object({
    for_not_following: verdict,
    for_not_followers: verdict,
    for_new_accounts: verdict,
    for_private_mentions: verdict,
    for_limited_accounts: verdict,
    summary: z.object({ pending_requests_count: int32, pending_notifications_count: int32 }),
  }),
  NotificationRequest: z.object({ id: text, account, notifications_count: int32InText }),
  Poll: poll,
  Relationship: z.object({
    id: text,
    following: flag,
    followed_by: flag,
    blocking: flag,
    muting: flag,
    requested: flag,
    muting_notifications: flag,
    showing_reblogs: flag,
    domain_blocking: flag,
    note: maybe(text),
    notifying: maybe(flag),
  }),
  ScheduledStatus: z.object({
    id: text,
    scheduled_at: text,
    media_attachments: z.array(attachment),
    params: z.object({
      text,
      sensitive: maybe(flag),
      visibility: text,
      spoiler_text: maybe(text),
      in_reply_to_id: maybe(text),
    }),
  }),
  Search: z.object({ accounts: z.array(timelineAccount), statuses: z.array(status), hashtags: z.array(tag) }),
  Status: status,
  StatusEdit: z.object({
    content: text,
    spoiler_text: text,
    sensitive: flag,
    created_at: time,
    account: timelineAccount,
    media_attachments: z.array(attachment),
    emojis,
  }),
  StatusSource: z.object({ id: text, text, spoiler_text: text }),
  Tag: tag,
  Token: z.object({ access_token: text }),
  V1Filter: z.object({
    id: text,
    phrase: text,
    context: z.array(text),
    expires_at: maybe(time),
    irreversible: flag,
    whole_word: flag,
  }),
  V1Instance: z.object({ uri: text, version: text, rules: unlessAbsent(z.array(rule)) }),
  WebPushSubscription: z.object({
    id: int32InText,
    endpoint: text,
    alerts: z.record(text, flag),
    server_key: text,
  }),
};
