import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { aboutUser, id, time, url } from './common.ts';

/*
 * Users who use several accounts in turn: their aliases, and the account that they use now. Stored in the
 * account's stream.
 */

/**
 * An alias by its URI, in the form that other servers compare. It identifies the user elsewhere, so it is
 * personal data.
 */
const aboutAlias = {
  version: 1,
  schema: z.object({ account_id: id, uri: url }),
  personal: { subject: (data: { account_id: string }) => data.account_id, erased: { uri: '' } },
  samples: { 1: { account_id: '109500000000000000', uri: 'https://far.example/users/alice' } },
};

/** The account declares another account of the same user. Only then may that one's followers move here. */
export const AccountAliasAdded = defineEvent({ ...aboutAlias, type: 'AccountAliasAdded' });
/** The account no longer names the alias. */
export const AccountAliasRemoved = defineEvent({ ...aboutAlias, type: 'AccountAliasRemoved' });

const sampleMove = {
  account_id: '109500000000000000',
  target_account_id: '109500000000000002',
  moved_at: '2026-11-21T08:00:00.000Z',
};

/**
 * The user continues with another account that this server knows; the old one can no longer be followed. The
 * newest event counts. Without followers it is a redirect, to which the other account need not agree.
 */
export const AccountMoved = defineEvent({
  type: 'AccountMoved',
  version: 2,
  schema: z.object({ account_id: id, target_account_id: id, moved_at: time, with_followers: z.boolean() }),
  upcasts: { 1: (data) => ({ ...data, with_followers: true }) },
  samples: { 1: sampleMove, 2: { ...sampleMove, with_followers: false } },
});

/** The old account is in use again. Followers who moved stay with the other one. */
export const AccountMoveCancelled = defineEvent({
  ...aboutUser('AccountMoveCancelled'),
  type: 'AccountMoveCancelled',
});

export const moveEvents = [AccountAliasAdded, AccountAliasRemoved, AccountMoved, AccountMoveCancelled];
export type MoveEvent =
  | EventOf<typeof AccountAliasAdded>
  | EventOf<typeof AccountAliasRemoved>
  | EventOf<typeof AccountMoved>
  | EventOf<typeof AccountMoveCancelled>;
