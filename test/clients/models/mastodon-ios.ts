import { z } from 'zod';
import { flag, int64, maybe, type Models, text, time, timeOrDay } from './kinds.ts';

/**
 * The official app for iOS: https://github.com/mastodon/mastodon-ios, MastodonSDK/Sources/MastodonSDK/Entity,
 * at a9e088a, and newer stored versions of 2025 and 2026 (groups of notifications, collections).
 */

const emoji = z.object({ shortcode: text, url: text, static_url: text, visible_in_picker: flag });
const field = z.object({ name: text, value: text, verified_at: maybe(time) });
const account = z.object({
  ...{ id: text, username: text, acct: text, url: text, display_name: text, note: text, avatar: text },
  ...{ avatar_static: maybe(text), header: text, header_static: maybe(text), locked: flag },
  ...{
    emojis: z.array(emoji),
    discoverable: maybe(flag),
    created_at: time,
    last_status_at: maybe(timeOrDay),
  },
  ...{ statuses_count: int64, followers_count: int64, following_count: int64, bot: maybe(flag) },
  ...{ fields: maybe(z.array(field)), suspended: maybe(flag), mute_expires_at: maybe(time) },
  source: maybe(
    z.object({
      ...{ note: text, fields: maybe(z.array(field)), privacy: maybe(text), sensitive: maybe(flag) },
      ...{ language: maybe(text), follow_requests_count: maybe(int64), hide_collections: maybe(flag) },
      ...{ indexable: maybe(flag), discoverable: maybe(flag) },
    }),
  ),
});
const format = z.object({
  ...{ width: maybe(int64), height: maybe(int64), size: maybe(text), aspect: maybe(z.number()) },
  ...{ frame_rate: maybe(text), duration: maybe(z.number()), bitrate: maybe(int64) },
});
const attachment = z.object({
  ...{ id: text, type: text, url: maybe(text), preview_url: maybe(text), remote_url: maybe(text) },
  ...{ description: maybe(text), blurhash: maybe(text) },
  meta: maybe(
    z.object({
      ...{ original: maybe(format), small: maybe(format) },
      focus: maybe(z.object({ x: z.number(), y: z.number() })),
      ...{ length: maybe(text), duration: maybe(z.number()), fps: maybe(int64), size: maybe(text) },
      ...{ width: maybe(int64), height: maybe(int64), aspect: maybe(z.number()) },
    }),
  ),
});
const mention = z.object({ id: text, username: text, acct: text, url: text });
const history = z.array(z.object({ day: text, uses: text, accounts: text }));
const tag = z.object({ name: text, url: text, history: maybe(history), following: maybe(flag) });
const poll = z.object({
  ...{ id: text, expires_at: maybe(time), expired: flag, multiple: flag, votes_count: int64 },
  ...{ voters_count: maybe(int64), voted: maybe(flag), own_votes: maybe(z.array(int64)) },
  options: z.array(z.object({ title: text, votes_count: maybe(int64) })),
});
const card = z.object({
  ...{ url: text, title: text, description: text, type: text, image: maybe(text), html: maybe(text) },
  ...{ width: maybe(int64), height: maybe(int64), published_at: maybe(time) },
  authors: maybe(z.array(z.object({ name: maybe(text), url: maybe(text), account: maybe(account) }))),
});
const plainStatus = z.object({
  ...{ id: text, uri: text, created_at: time, edited_at: maybe(time), account, content: maybe(text) },
  ...{ visibility: maybe(text), sensitive: maybe(flag), spoiler_text: maybe(text), text: maybe(text) },
  ...{ media_attachments: maybe(z.array(attachment)), mentions: z.array(mention), tags: z.array(tag) },
  application: maybe(z.object({ name: text, website: maybe(text) })),
  ...{ emojis: z.array(emoji), reblogs_count: int64, favourites_count: int64, replies_count: maybe(int64) },
  ...{ url: maybe(text), in_reply_to_id: maybe(text), poll: maybe(poll), card: maybe(card) },
  quote: maybe(z.object({ state: text, quoted_status_id: maybe(text) })),
});
const status = plainStatus.extend({ reblog: maybe(plainStatus) });
const severance = z.object({
  ...{ id: text, type: text, purged: flag, target_name: text, created_at: time },
  ...{ followers_count: int64, following_count: int64 },
});
const marker = z.object({ last_read_id: text, updated_at: time, version: int64 });
const rules = maybe(z.array(z.object({ id: text, text })));
const limits = z.object({
  statuses: maybe(
    z.object({ max_characters: int64, max_media_attachments: int64, characters_reserved_per_url: int64 }),
  ),
  media_attachments: maybe(
    z.object({
      ...{ supported_mime_types: z.array(text), image_size_limit: int64, image_matrix_limit: int64 },
      ...{ video_size_limit: int64, video_frame_rate_limit: int64, video_matrix_limit: int64 },
    }),
  ),
  polls: maybe(
    z.object({
      ...{ max_options: int64, max_characters_per_option: int64 },
      ...{ min_expiration: int64, max_expiration: int64 },
    }),
  ),
});
const collection = z.object({
  ...{ id: text, uri: text, account_id: text, local: flag, url: text, item_count: int64, created_at: time },
  tag: maybe(tag),
  items: z.array(z.object({ id: text, state: text, created_at: time, account_id: maybe(text) })),
});

export const MASTODON_IOS: Models = {
  Account: account,
  Application: z.object({
    ...{ name: text, website: maybe(text), client_id: maybe(text), client_secret: maybe(text) },
  }),
  Collections: z.object({ collections: z.array(collection) }),
  Context: z.object({ ancestors: z.array(status), descendants: z.array(status) }),
  CustomEmoji: emoji,
  DeletedStatus: status,
  FamiliarFollowers: z.object({ id: text, accounts: z.array(account) }),
  GroupedNotifications: z.object({
    ...{ accounts: z.array(account), statuses: z.array(status) },
    partial_accounts: maybe(
      z.array(
        z.object({
          id: text,
          acct: text,
          url: text,
          avatar: text,
          avatar_static: text,
          locked: flag,
          bot: flag,
        }),
      ),
    ),
    notification_groups: z.array(
      z.object({
        ...{ group_key: text, notifications_count: int64, type: text, most_recent_notification_id: int64 },
        ...{ page_min_id: maybe(text), page_max_id: maybe(text), latest_page_notification_at: maybe(time) },
        ...{ sample_account_ids: z.array(text), status_id: maybe(text), event: maybe(severance) },
      }),
    ),
  }),
  Instance: z.object({
    ...{ domain: maybe(text), title: text, description: text, version: maybe(text), rules },
    ...{ languages: maybe(z.array(text)), registrations: maybe(z.object({ enabled: flag })) },
    thumbnail: maybe(z.object({ url: maybe(text) })),
    contact: maybe(z.object({ email: maybe(text), account: maybe(account) })),
    configuration: maybe(limits.extend({ translation: maybe(z.object({ enabled: flag })) })),
  }),
  List: z.object({ id: text, title: text, replies_policy: maybe(text) }),
  Markers: z.object({ home: marker, notifications: marker }),
  MediaAttachment: attachment,
  Notification: z.object({
    ...{ id: text, type: text, created_at: time, account, status: maybe(status), event: maybe(severance) },
  }),
  NotificationRequest: z.object({
    ...{ id: text, created_at: time, updated_at: time, account, notifications_count: text },
    last_status: maybe(status),
  }),
  Poll: poll,
  Relationship: z.object({
    ...{ id: text, following: flag, requested: flag, endorsed: flag, followed_by: flag, muting: flag },
    ...{ muting_notifications: flag, showing_reblogs: flag, notifying: flag, blocking: flag },
    ...{ domain_blocking: flag, blocked_by: flag, note: maybe(text) },
  }),
  Search: z.object({ accounts: z.array(account), statuses: z.array(status), hashtags: z.array(tag) }),
  Status: status,
  StatusEdit: z.object({
    ...{ content: text, spoiler_text: maybe(text), sensitive: flag, created_at: time, account },
    poll: maybe(z.object({ options: z.array(z.object({ title: text })) })),
    ...{ media_attachments: maybe(z.array(attachment)), emojis: z.array(emoji) },
  }),
  StatusSource: z.object({ id: text, text, spoiler_text: text }),
  Suggestion: z.object({ source: text, account }),
  Tag: tag,
  Token: z.object({ access_token: text, token_type: text, scope: text, created_at: z.number() }),
  V1Filter: z.object({
    ...{ id: text, phrase: text, context: z.array(text), expires_at: maybe(time) },
    ...{ irreversible: flag, whole_word: flag },
  }),
  V1Instance: z.object({
    ...{ uri: text, title: text, description: text, email: text, version: maybe(text), rules },
    urls: maybe(z.object({ streaming_api: text })),
    stats: maybe(z.object({ user_count: int64, status_count: int64, domain_count: int64 })),
    ...{ thumbnail: maybe(text), contact_account: maybe(account), configuration: maybe(limits) },
  }),
  V1NotificationPolicy: z.object({
    ...{ filter_not_following: flag, filter_not_followers: flag },
    ...{ filter_new_accounts: flag, filter_private_mentions: flag },
    summary: z.object({ pending_requests_count: int64, pending_notifications_count: int64 }),
  }),
  WebPushSubscription: z.object({
    ...{ id: z.union([text, int64]), endpoint: text, server_key: text },
    alerts: z.record(text, maybe(flag)),
  }),
};
