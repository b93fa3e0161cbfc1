import { z } from 'zod';
import { defineEvent, type EventOf, type JsonObject } from '#kernel/event.ts';
import { type AppealEvent, appealEvents } from './appeals.ts';
import { aboutUser, domain, id, language, time, url } from './common.ts';
import { type ErasureEvent, erasureEvents } from './erasure.ts';
import { featurePolicy } from './feature-policy.ts';
import type { FederationAccountEvent } from './federation.ts';
import { type ModerationEvent, moderationEvents } from './moderation.ts';
import { type MoveEvent, moveEvents } from './moves.ts';
import { profileField } from './profile-field.ts';
import { remoteEmojis } from './remote-emoji.ts';
import { type TwoFactorEvent, twoFactorEvents } from './two-factor.ts';
import { AccountLinkVerified } from './verified-links.ts';

/** Everything about one account and, for a local one, its user. */
export const accountStream = (accountId: string): string => `account-${accountId}`;
/** Exists once the name is taken. Lower case. */
export const usernameStream = (username: string): string => `username-${username.toLowerCase()}`;
/** Exists once the address is taken. The digest is keyed, so the log does not reveal the address. */
export const emailStream = (digest: string): string => `email-${digest}`;
/** The days on which a user was active, once a day each: they decide which accounts get fan-out on write. */
export const activityStream = (accountId: string): string => `activity-${accountId}`;

/** A key of the media store, or the address of a remote picture; null for none. */
const picture = z.object({ original: z.string().max(2_048), static: z.string().max(2_048) }).nullable();

/** The profile of an account. Texts by users have their HTML beside them. */
export const profileSchema = z.object({
  display_name: z.string().max(2_048),
  note: z.string().max(20_000),
  note_html: z.string().max(60_000),
  fields: z.array(profileField).max(100),
  avatar: picture,
  header: picture,
  locked: z.boolean(),
  bot: z.boolean(),
  discoverable: z.boolean().nullable(),
  indexable: z.boolean(),
  /** Asks search engines to omit the profile and its posts; local accounts only. */
  noindex: z.boolean(),
  hide_collections: z.boolean().nullable(),
  avatar_description: z.string().max(1_500),
  header_description: z.string().max(1_500),
  show_media: z.boolean(),
  show_media_replies: z.boolean(),
  show_featured: z.boolean(),
  /** Remote accounts only: the person has died; the account distributes posts of others. */
  memorial: z.boolean().optional(),
  group: z.boolean().optional(),
  /** Hosts whose pages may name the account as their author. */
  attribution_domains: z.array(domain).max(100),
  /** The custom emojis in the profile of a remote account. Local accounts store none: local emojis change. */
  emojis: remoteEmojis,
  /** Null once its server declares none. */
  feature_policy: featurePolicy.nullable().optional(),
});
export type Profile = z.infer<typeof profileSchema>;

export const emptyProfile: Omit<Profile, 'memorial' | 'group' | 'feature_policy'> = {
  display_name: '',
  note: '',
  note_html: '',
  fields: [],
  avatar: null,
  header: null,
  locked: false,
  bot: false,
  discoverable: null,
  indexable: false,
  noindex: false,
  hide_collections: null,
  avatar_description: '',
  header_description: '',
  show_media: true,
  show_media_replies: true,
  show_featured: true,
  attribution_domains: [],
  emojis: [],
};

const erasedTexts = {
  display_name: '',
  note: '',
  note_html: '',
  fields: [],
  avatar_description: '',
  header_description: '',
  attribution_domains: [],
  emojis: [],
};

/** The profile of the first version, before pictures had descriptions and profiles tabs. */
const firstProfile = {
  display_name: '',
  note: '',
  note_html: '',
  fields: [],
  avatar: null,
  header: null,
  locked: false,
  bot: false,
  discoverable: null,
  indexable: false,
  hide_collections: null,
};
/** The profile of the third version, before `noindex`. */
const { noindex: _noindex, ...thirdProfile } = emptyProfile;
/** The profile of the second version, before emojis of other servers. */
const { emojis: _emojis, ...secondProfile } = thirdProfile;
const firstAccount = {
  id: '109500000000000000',
  username: 'alice',
  domain: null,
  uri: 'https://rookery.example/users/alice',
  url: 'https://rookery.example/@alice',
  created_at: '2026-11-21T08:00:00.000Z',
};
const sampleEmoji = { shortcode: 'rook', url: 'https://far.example/emojis/rook.png' };
/** Every new member may be absent. */
const unchanged = (data: JsonObject): JsonObject => data;

export const AccountCreated = defineEvent({
  type: 'AccountCreated',
  version: 4,
  schema: z.object({
    id,
    username: z.string().max(2_048),
    /** null for a local account. */
    domain: domain.nullable(),
    uri: url,
    url,
    created_at: time,
    ...profileSchema.shape,
  }),
  personal: { subject: (data) => data.id, erased: { ...erasedTexts, avatar: null, header: null } },
  upcasts: {
    1: (data) => ({
      ...data,
      avatar_description: '',
      header_description: '',
      show_media: true,
      show_media_replies: true,
      show_featured: true,
      attribution_domains: [],
    }),
    2: (data) => ({ ...data, emojis: [] }),
    3: (data) => ({ ...data, noindex: false }),
  },
  samples: {
    1: { ...firstAccount, ...firstProfile },
    2: { ...firstAccount, ...secondProfile },
    3: { ...firstAccount, ...thirdProfile, emojis: [sampleEmoji] },
    4: { ...firstAccount, ...emptyProfile, noindex: true },
  },
});

/** Only what changed. */
export const AccountUpdated = defineEvent({
  type: 'AccountUpdated',
  version: 5,
  schema: z.object({ id, ...profileSchema.partial().shape }),
  personal: { subject: (data) => data.id, erased: erasedTexts },
  upcasts: { 1: unchanged, 2: unchanged, 3: unchanged, 4: unchanged },
  samples: {
    1: { id: '109500000000000000', display_name: 'Alice', note: 'Hi', note_html: '<p>Hi</p>' },
    2: { id: '109500000000000000', avatar_description: 'A rook', attribution_domains: ['example.org'] },
    3: { id: '109500000000000000', display_name: 'Alice :rook:', emojis: [sampleEmoji] },
    4: { id: '109500000000000000', noindex: true },
    5: { id: '109500000000000000', feature_policy: null },
  },
});

/** The sign-up for this stream failed for good. Another sign-up may take its name and address. */
export const SignUpAbandoned = defineEvent({
  type: 'SignUpAbandoned',
  version: 1,
  schema: z.object({ account_id: id }),
  samples: { 1: { account_id: '109500000000000000' } },
});

/** The newest one counts: the name of an abandoned sign-up goes to the next user who wants it. */
export const UsernameReserved = defineEvent({
  type: 'UsernameReserved',
  version: 1,
  schema: z.object({ username: z.string().max(30), account_id: id }),
  samples: { 1: { username: 'alice', account_id: '109500000000000000' } },
});

export const EmailReserved = defineEvent({
  type: 'EmailReserved',
  version: 1,
  schema: z.object({ digest: z.string().max(64), account_id: id }),
  samples: { 1: { digest: '0f343b0931126a20f133d67c2b018a3b', account_id: '109500000000000000' } },
});

/** The address is free again: the account was erased or rejected, or its sign-up failed. */
export const EmailReleased = defineEvent({
  type: 'EmailReleased',
  version: 1,
  schema: z.object({ digest: z.string().max(64), account_id: id }),
  samples: { 1: { digest: '0f343b0931126a20f133d67c2b018a3b', account_id: '109500000000000000' } },
});

export const userRole = z.enum(['Owner', 'Admin', 'Moderator']);
export type UserRole = z.infer<typeof userRole>;

/** A user signed up for the account, or the operator created one. */
export const UserRegistered = defineEvent({
  type: 'UserRegistered',
  version: 1,
  schema: z.object({
    account_id: id,
    email: z.string().max(320),
    locale: language,
    confirmed: z.boolean(),
    approved: z.boolean(),
    role: userRole.nullable(),
    /** The user's reason for joining, when sign-ups need approval. */
    reason: z.string().max(420).nullable(),
    application_id: id.nullable(),
    sign_up_ip: z.string().max(45).nullable(),
  }),
  personal: { subject: (data) => data.account_id, erased: { email: '', reason: null, sign_up_ip: null } },
  samples: {
    1: {
      account_id: '109500000000000000',
      email: 'alice@example.org',
      locale: 'en',
      confirmed: false,
      approved: true,
      role: null,
      reason: null,
      application_id: '109500000000000001',
      sign_up_ip: '192.0.2.1',
    },
  },
});

/** The user opened the confirmation link; `email` is the address that it was sent to. */
export const UserConfirmed = defineEvent({
  type: 'UserConfirmed',
  version: 1,
  schema: z.object({ account_id: id, email: z.string().max(320) }),
  personal: { subject: (data) => data.account_id, erased: { email: '' } },
  samples: { 1: { account_id: '109500000000000000', email: 'alice@example.org' } },
});

/** An unconfirmed user corrected the address, or a confirmed one moved to a new one. */
export const UserEmailChanged = defineEvent({
  type: 'UserEmailChanged',
  version: 1,
  schema: z.object({ account_id: id, email: z.string().max(320), confirmed: z.boolean() }),
  personal: { subject: (data) => data.account_id, erased: { email: '' } },
  samples: { 1: { account_id: '109500000000000000', email: 'alice@example.net', confirmed: false } },
});

/**
 * The user wants another address. It takes effect when they open the link mailed to it. The newest request
 * counts.
 */
export const UserEmailChangeRequested = defineEvent({
  type: 'UserEmailChangeRequested',
  version: 1,
  schema: z.object({ account_id: id, email: z.string().max(320) }),
  personal: { subject: (data) => data.account_id, erased: { email: '' } },
  samples: { 1: { account_id: '109500000000000000', email: 'alice@example.net' } },
});

export const UserApproved = defineEvent({ ...aboutUser('UserApproved'), type: 'UserApproved' });
export const UserDisabled = defineEvent({ ...aboutUser('UserDisabled'), type: 'UserDisabled' });
export const UserEnabled = defineEvent({ ...aboutUser('UserEnabled'), type: 'UserEnabled' });
export const AccountSuspended = defineEvent({ ...aboutUser('AccountSuspended'), type: 'AccountSuspended' });
export const AccountUnsuspended = defineEvent({
  ...aboutUser('AccountUnsuspended'),
  type: 'AccountUnsuspended',
});

/** The account's own server suspended it. This server hides it until that server lifts the suspension. */
export const RemoteAccountSuspended = defineEvent({
  ...aboutUser('RemoteAccountSuspended'),
  type: 'RemoteAccountSuspended',
});
export const RemoteAccountUnsuspended = defineEvent({
  ...aboutUser('RemoteAccountUnsuspended'),
  type: 'RemoteAccountUnsuspended',
});

/** The account's own server deleted it. It is hidden and can no longer act; its id stays taken. */
export const RemoteAccountGone = defineEvent({
  ...aboutUser('RemoteAccountGone'),
  type: 'RemoteAccountGone',
});

export const UserRoleChanged = defineEvent({
  type: 'UserRoleChanged',
  version: 1,
  schema: z.object({ account_id: id, role: userRole.nullable() }),
  samples: { 1: { account_id: '109500000000000000', role: 'Moderator' } },
});

export const visibility = z.enum(['public', 'unlisted', 'private', 'direct']);
export type Visibility = z.infer<typeof visibility>;

/** The user's posting defaults (Mastodon's `source`) and reading preferences; only the changed ones. */
export const UserPreferencesChanged = defineEvent({
  type: 'UserPreferencesChanged',
  version: 4,
  schema: z.object({
    account_id: id,
    locale: language.optional(),
    privacy: visibility.exclude(['direct']).optional(),
    sensitive: z.boolean().optional(),
    language: language.nullable().optional(),
    quote_policy: z.enum(['public', 'followers', 'nobody']).optional(),
    /** The media that show without a click: all but sensitive ones, all, or none. */
    expand_media: z.enum(['default', 'show_all', 'hide_all']).optional(),
    expand_spoilers: z.boolean().optional(),
    aggregate_reblogs: z.boolean().optional(),
    autoplay_gifs: z.boolean().optional(),
  }),
  upcasts: { 1: unchanged, 2: unchanged, 3: unchanged },
  samples: {
    1: { account_id: '109500000000000000', privacy: 'unlisted', sensitive: true, language: 'de' },
    2: { account_id: '109500000000000000', expand_media: 'hide_all', expand_spoilers: true },
    3: { account_id: '109500000000000000', aggregate_reblogs: false },
    4: { account_id: '109500000000000000', autoplay_gifs: true },
  },
});

/** After this many days without a visit, a home timeline changes from fan-out on write to fan-out on read. */
export const DORMANT_DAYS = 30;

/** The user was active on this day (UTC). */
export const UserActive = defineEvent({
  type: 'UserActive',
  version: 1,
  schema: z.object({ account_id: id, date: z.iso.date() }),
  samples: { 1: { account_id: '109500000000000000', date: '2026-11-21' } },
});

export const accountEvents = [
  AccountCreated,
  AccountUpdated,
  AccountLinkVerified,
  SignUpAbandoned,
  UsernameReserved,
  EmailReserved,
  EmailReleased,
  UserRegistered,
  UserConfirmed,
  UserEmailChanged,
  UserEmailChangeRequested,
  UserApproved,
  UserDisabled,
  UserEnabled,
  AccountSuspended,
  AccountUnsuspended,
  ...moderationEvents,
  ...appealEvents,
  ...erasureEvents,
  ...twoFactorEvents,
  ...moveEvents,
  RemoteAccountSuspended,
  RemoteAccountUnsuspended,
  RemoteAccountGone,
  UserRoleChanged,
  UserPreferencesChanged,
  UserActive,
];

export type AccountEvent =
  | EventOf<typeof AccountCreated>
  | EventOf<typeof AccountUpdated>
  | EventOf<typeof AccountLinkVerified>
  | FederationAccountEvent
  | EventOf<typeof SignUpAbandoned>
  | EventOf<typeof UserRegistered>
  | EventOf<typeof UserConfirmed>
  | EventOf<typeof UserEmailChanged>
  | EventOf<typeof UserEmailChangeRequested>
  | EventOf<typeof UserApproved>
  | EventOf<typeof UserDisabled>
  | EventOf<typeof UserEnabled>
  | EventOf<typeof AccountSuspended>
  | EventOf<typeof AccountUnsuspended>
  | ModerationEvent
  | AppealEvent
  | ErasureEvent
  | TwoFactorEvent
  | MoveEvent
  | EventOf<typeof RemoteAccountSuspended>
  | EventOf<typeof RemoteAccountUnsuspended>
  | EventOf<typeof RemoteAccountGone>
  | EventOf<typeof UserRoleChanged>
  | EventOf<typeof UserPreferencesChanged>;

/** The events of the streams `username-...` and `email-...`. */
export type ReservationEvent =
  EventOf<typeof UsernameReserved> | EventOf<typeof EmailReserved> | EventOf<typeof EmailReleased>;
