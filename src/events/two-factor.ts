import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { aboutUser, id, time } from './common.ts';

/*
 * Sign-in with a code of an authenticator app besides the password. In the stream of the account, so that a
 * code counts once.
 */

/** Base32 (RFC 4648), as authenticator apps take it. */
const secret = z.string().max(64);
/** The number of a period of 30 seconds (RFC 6238). */
const timeStep = z.int().nonnegative();
/** SHA-256 in hexadecimal. */
const codeHash = z.string().max(64);
const codeHashes = z.array(codeHash).max(50);

const sampleAccount = { account_id: '109500000000000000' };
/** The secret of the test vectors in RFC 6238. */
const sampleSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const sampleHash = '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9';

/** The user was shown a secret. It takes effect when they enter one of its codes. The newest one counts. */
export const UserTwoFactorPrepared = defineEvent({
  type: 'UserTwoFactorPrepared',
  version: 1,
  schema: z.object({ account_id: id, secret, prepared_at: time }),
  personal: { subject: (data) => data.account_id, erased: { secret: '' } },
  samples: { 1: { ...sampleAccount, secret: sampleSecret, prepared_at: '2026-11-23T08:00:00.000Z' } },
});

/** The user entered a code of the secret, that of `time_step`: from now on sign-in requires a code. */
export const UserTwoFactorEnabled = defineEvent({
  type: 'UserTwoFactorEnabled',
  version: 1,
  schema: z.object({ account_id: id, secret, time_step: timeStep, recovery_codes: codeHashes }),
  personal: { subject: (data) => data.account_id, erased: { secret: '', recovery_codes: [] } },
  samples: {
    1: { ...sampleAccount, secret: sampleSecret, time_step: 59_714_880, recovery_codes: [sampleHash] },
  },
});

/** By the user, or by the operator for a user who lost all second factors. */
export const UserTwoFactorDisabled = defineEvent({
  ...aboutUser('UserTwoFactorDisabled'),
  type: 'UserTwoFactorDisabled',
});

/** Codes of this time step and of earlier ones are no longer accepted. */
export const UserTwoFactorCodeUsed = defineEvent({
  type: 'UserTwoFactorCodeUsed',
  version: 1,
  schema: z.object({ account_id: id, time_step: timeStep }),
  samples: { 1: { ...sampleAccount, time_step: 59_714_881 } },
});

/** A recovery code was used; it is no longer accepted. */
export const UserRecoveryCodeUsed = defineEvent({
  type: 'UserRecoveryCodeUsed',
  version: 1,
  schema: z.object({ account_id: id, recovery_code: codeHash }),
  personal: { subject: (data) => data.account_id, erased: { recovery_code: '' } },
  samples: { 1: { ...sampleAccount, recovery_code: sampleHash } },
});

/** From now on only these count. */
export const UserRecoveryCodesReplaced = defineEvent({
  type: 'UserRecoveryCodesReplaced',
  version: 1,
  schema: z.object({ account_id: id, recovery_codes: codeHashes }),
  personal: { subject: (data) => data.account_id, erased: { recovery_codes: [] } },
  samples: { 1: { ...sampleAccount, recovery_codes: [sampleHash] } },
});

export const twoFactorEvents = [
  UserTwoFactorPrepared,
  UserTwoFactorEnabled,
  UserTwoFactorDisabled,
  UserTwoFactorCodeUsed,
  UserRecoveryCodeUsed,
  UserRecoveryCodesReplaced,
];

export type TwoFactorEvent = EventOf<(typeof twoFactorEvents)[number]>;
