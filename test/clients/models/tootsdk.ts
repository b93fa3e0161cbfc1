import { z } from 'zod';
import { flag, int64, maybe, type Models, text, time, timeOrDay } from './kinds.ts';

/**
 * TootSDK, a library of apps for iOS and macOS: https://github.com/TootSDK/TootSDK, Sources/TootSDK/Models,
 * at 25e9ddd.
 */

const emoji = z.object({ shortcode: text, url: text, static_url: text, visible_in_picker: flag });

const account = z.object({
  id: text,
  acct: text,
  url: text,
  note: text,
  avatar: text,
  locked: flag,
  created_at: time,
  followers_count: int64,
  following_count: int64,
  last_status_at: maybe(timeOrDay),
});
const attachment = z.object({
  id: text,
  type: text,
  url: text,
  preview_url: maybe(text),
  description: maybe(text),
  meta: maybe(z.object({ focus: maybe(z.object({ x: maybe(z.number()), y: maybe(z.number()) })) })),
});
const mention = z.object({ id: text, username: text, url: text, acct: text });
const tag = z.object({
  name: text,
  url: text,
  following: maybe(flag),
  history: maybe(z.array(z.object({ day: text, uses: text, accounts: text }))),
});
const poll = z.object({
  id: text,
  expired: flag,
  multiple: flag,
  votes_count: int64,
  voters_count: maybe(int64),
  options: z.array(z.object({ title: text, votes_count: int64 })),
});
const card = z.object({
  url: text,
  title: text,
  description: text,
  type: text,
  published_at: maybe(time),
  html: maybe(text),
});
const filter = z.object({ id: text, title: text, context: z.array(text), filter_action: text });
const plainPost = z.object({
  id: text,
  uri: text,
  created_at: time,
  account,
  content: maybe(text),
  visibility: text,
  sensitive: flag,
  spoiler_text: text,
  media_attachments: z.array(attachment),
  mentions: z.array(mention),
  tags: z.array(tag),
  emojis: z.array(emoji),
  reblogs_count: int64,
  favourites_count: int64,
  replies_count: int64,
  quotes_count: maybe(int64),
  url: maybe(text),
  edited_at: maybe(time),
  poll: maybe(poll),
  card: maybe(card),
  text: maybe(text),
  language: maybe(text),
  filtered: maybe(
    z.array(
      z.object({ filter, keyword_matches: maybe(z.array(text)), status_matches: maybe(z.array(text)) }),
    ),
  ),
  quote: maybe(z.object({ state: text, quoted_status_id: maybe(text) })),
  quote_approval: maybe(z.object({ automatic: z.array(text), manual: z.array(text) })),
});
const post = plainPost.extend({ reblog: maybe(plainPost) });

export const TOOTSDK: Models = {
  Account: account,
  Announcement: z.object({
    id: text,
    content: text,
    all_day: flag,
    mentions: z.array(mention),
    tags: z.array(tag),
    statuses: z.array(z.object({ id: text, url: text })),
    emojis: z.array(emoji),
    reactions: z.array(z.object({ name: text, count: int64, me: flag })),
  }),
  Context: z.object({ ancestors: z.array(post), descendants: z.array(post) }),
  Conversation: z.object({ id: text, accounts: z.array(account), unread: flag, last_status: maybe(post) }),
  CustomEmoji: emoji,
  DeletedStatus: post,
  FeaturedTag: z.object({ id: text, name: text, url: text, statuses_count: z.union([text, int64]) }),
  Filter: filter,
  Instance: z.object({
    version: text,
    domain: maybe(text),
    title: maybe(text),
    description: maybe(text),
    registrations: z.object({ enabled: maybe(flag), message: maybe(text), min_age: maybe(int64) }),
    usage: maybe(z.object({ users: z.object({ active_month: int64 }) })),
    thumbnail: maybe(z.object({ url: text, blurhash: maybe(text) })),
    icon: maybe(z.array(z.object({ src: text, size: text }))),
    api_versions: maybe(z.object({ mastodon: maybe(int64) })),
  }),
  List: z.object({ id: text, title: text, exclusive: maybe(flag) }),
  Markers: z.record(text, z.object({ last_read_id: text, updated_at: time, version: int64 })),
  MediaAttachment: attachment,
  Notification: z.object({
    id: text,
    type: text,
    account,
    created_at: time,
    status: maybe(post),
    event: maybe(z.object({ id: text, type: text, purged: flag, target_name: text, created_at: time })),
    report: maybe(z.object({ id: text })),
  }),
  Poll: poll,
  Preferences: z.object({
    'posting:default:visibility': text,
    'posting:default:sensitive': flag,
    'posting:default:language': maybe(text),
    'posting:default:quote_policy': maybe(z.enum(['public', 'followers', 'nobody'])),
    'reading:expand:media': text,
    'reading:expand:spoilers': flag,
  }),
  Relationship: z.object({ id: maybe(text), following: maybe(flag), note: maybe(text) }),
  ScheduledStatus: z.object({
    id: text,
    scheduled_at: maybe(time),
    media_attachments: z.array(attachment),
    params: z.object({ visibility: text, text: maybe(text) }),
  }),
  Search: z.object({ accounts: z.array(account), statuses: z.array(post), hashtags: z.array(tag) }),
  Status: post,
  StatusEdit: z.object({
    content: text,
    spoiler_text: text,
    sensitive: flag,
    created_at: time,
    account,
    media_attachments: z.array(attachment),
    emojis: z.array(emoji),
    poll: maybe(z.object({ options: z.array(z.object({ title: text })) })),
  }),
  StatusSource: z.object({ id: text, text, spoiler_text: text }),
  Suggestion: z.object({ source: text, account }),
  Tag: tag,
  V1Instance: z.object({ version: text, stats: z.object({ user_count: maybe(int64) }) }),
  WebPushSubscription: z.object({
    endpoint: text,
    server_key: text,
    policy: maybe(text),
    alerts: z.object({ follow: flag, favourite: flag, reblog: flag, mention: flag, poll: maybe(flag) }),
  }),
};
