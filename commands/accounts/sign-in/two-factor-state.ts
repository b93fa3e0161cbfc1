import type { AccountEvent } from '#events/accounts.ts';
import type { Decider } from '#kernel/decider.ts';

/** The second factor: off, not yet on (`prepared`), or on. */
export type TwoFactor = { state: 'off' } | PreparedTwoFactor | ActiveTwoFactor;

export interface PreparedTwoFactor {
  state: 'prepared';
  /** Base32. */
  secret: string;
  /** ISO 8601. */
  preparedAt: string;
}

export interface ActiveTwoFactor {
  state: 'on';
  secret: string;
  /** The time step of the last used code; only later ones count. */
  lastStep: number;
  /** Hashes of the unused codes. */
  recoveryCodes: readonly string[];
}

const OFF: TwoFactor = { state: 'off' };

/** The second factor as a part of an account's state. */
export const twoFactor: Decider<TwoFactor, AccountEvent> = { initialState: OFF, evolve };

function evolve(current: TwoFactor, event: AccountEvent): TwoFactor {
  switch (event.type) {
    case 'UserTwoFactorPrepared':
      return { state: 'prepared', secret: event.data.secret, preparedAt: event.data.prepared_at };
    case 'UserTwoFactorEnabled': {
      const { secret, time_step: lastStep, recovery_codes: recoveryCodes } = event.data;
      return { state: 'on', secret, lastStep, recoveryCodes };
    }
    case 'UserTwoFactorDisabled':
      return OFF;
    case 'UserPasswordReset':
      // Another person with the old password may know a prepared secret; an active one stays.
      return current.state === 'prepared' ? OFF : current;
    default:
      return current.state === 'on' ? evolveActive(current, event) : current;
  }
}

function evolveActive(current: ActiveTwoFactor, { type, data }: AccountEvent): ActiveTwoFactor {
  switch (type) {
    case 'UserTwoFactorCodeUsed':
      return { ...current, lastStep: data.time_step };
    case 'UserRecoveryCodeUsed': {
      const { recovery_code: used } = data;
      return { ...current, recoveryCodes: current.recoveryCodes.filter((each) => each !== used) };
    }
    case 'UserRecoveryCodesReplaced':
      return { ...current, recoveryCodes: data.recovery_codes };
    default:
      return current;
  }
}
