import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { aboutUser, id } from './common.ts';

/*
 * Moderation of accounts besides suspending them and disabling users (`accounts.ts`). Stored in the account's
 * stream.
 */

/** Only followers see it without looking for it: "limited" in the API. */
export const AccountSilenced = defineEvent({ ...aboutUser('AccountSilenced'), type: 'AccountSilenced' });
export const AccountUnsilenced = defineEvent({
  ...aboutUser('AccountUnsilenced'),
  type: 'AccountUnsilenced',
});
/** All its posts are shown as sensitive, whatever they declare. */
export const AccountSensitized = defineEvent({
  ...aboutUser('AccountSensitized'),
  type: 'AccountSensitized',
});
export const AccountUnsensitized = defineEvent({
  ...aboutUser('AccountUnsensitized'),
  type: 'AccountUnsensitized',
});
/** Staff rejected a waiting sign-up: the account is gone, its name and address are free. */
export const UserRejected = defineEvent({ ...aboutUser('UserRejected'), type: 'UserRejected' });

/** https://docs.joinmastodon.org/methods/admin/accounts/#action; `none` is a warning alone. */
export const accountAction = z.enum(['none', 'sensitive', 'disable', 'silence', 'suspend']);
export type AccountAction = z.infer<typeof accountAction>;

/** The actions of a strike: https://docs.joinmastodon.org/entities/AccountWarning/#action */
export const strikeAction = z.enum([
  ...accountAction.options,
  'delete_statuses',
  'mark_statuses_as_sensitive',
]);
export type StrikeAction = z.infer<typeof strikeAction>;

/**
 * The calls that lift an action: https://docs.joinmastodon.org/methods/admin/accounts/#enable and the
 * following ones.
 */
export const lifting = z.enum(['enable', 'unsensitive', 'unsilence', 'unsuspend']);
export type Lifting = z.infer<typeof lifting>;

const sampleStrike = {
  id: '115500000000000030',
  account_id: '109500000000000000',
  action: 'silence',
  text: 'Please do not advertise here.',
  report_id: '115500000000000020',
  status_ids: ['115500000000000010'],
  notified: true,
};

/**
 * A strike: the action of staff against an account, and the reason. The event of the action itself is stored
 * beside it.
 */
export const AccountWarned = defineEvent({
  type: 'AccountWarned',
  version: 2,
  schema: z.object({
    id,
    account_id: id,
    action: strikeAction,
    /** The message of the staff to the user. */
    text: z.string().max(10_000),
    report_id: id.nullable(),
    /** The posts that the strike concerns. */
    status_ids: z.array(id).max(1_000),
    /** The user is told, by a notification and a mail. */
    notified: z.boolean(),
  }),
  // Version 2 added strikes about single posts.
  upcasts: { 1: (data) => data },
  personal: { subject: (data) => data.account_id, erased: { text: '' } },
  samples: { 1: sampleStrike, 2: { ...sampleStrike, action: 'delete_statuses' } },
});

/** The user of a strike was sent this mail, without its address. It is the plain text as it was sent. */
export const StrikeMailed = defineEvent({
  type: 'StrikeMailed',
  version: 1,
  schema: z.object({
    strike_id: id,
    account_id: id,
    subject: z.string().max(1_000),
    text: z.string().max(100_000),
  }),
  personal: { subject: (data) => data.account_id, erased: { text: '' } },
  samples: {
    1: {
      strike_id: '115500000000000030',
      account_id: '109500000000000000',
      subject: 'Your account was limited on rookery.example',
      text: 'Hello alice,\n\nthe moderators of rookery.example limited your account.\n',
    },
  },
});

/** The operator or the user set a new password, which ended all sessions. */
export const UserPasswordReset = defineEvent({
  ...aboutUser('UserPasswordReset'),
  type: 'UserPasswordReset',
});

/** The operator issued an access token for the user; the token itself is not in the log. */
export const AccessTokenIssued = defineEvent({
  type: 'AccessTokenIssued',
  version: 1,
  schema: z.object({ account_id: id, application_id: id, scopes: z.array(z.string().max(60)).max(100) }),
  samples: {
    1: { account_id: '109500000000000000', application_id: '109500000000000001', scopes: ['read', 'write'] },
  },
});

export const moderationEvents = [
  AccountSilenced,
  AccountUnsilenced,
  AccountSensitized,
  AccountUnsensitized,
  AccountWarned,
  StrikeMailed,
  UserRejected,
  UserPasswordReset,
  AccessTokenIssued,
];

export type ModerationEvent = EventOf<(typeof moderationEvents)[number]>;
