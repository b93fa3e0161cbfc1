import type { AccountEvent } from '#events/accounts.ts';
import type { AppealState } from '#events/appeals.ts';
import type { StrikeAction } from '#events/moderation.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account, requireUser } from '../accounts/index.ts';

export interface Appeal {
  id: Id;
  state: AppealState;
}

export interface Strike {
  id: Id;
  action: StrikeAction;
  /** The report that it answers. */
  reportId: Id | null;
  /** The posts that it concerns. */
  statusIds: readonly Id[];
  /** At most one, for good. */
  appeal: Appeal | null;
}

/** An account with its strikes: stream `account-<id>`. */
export interface Strikes {
  account: Account;
  strikes: ReadonlyMap<Id, Strike>;
  /**
   * The strikes, without overruled ones, that keep each action in force; absent for none, or for an action
   * without a strike.
   */
  inForce: Readonly<Partial<Record<StrikeAction, readonly Id[]>>>;
}

export const strikes: Decider<Strikes, AccountEvent> = {
  initialState: { account: account.initialState, strikes: new Map(), inForce: {} },
  evolve: (state, event) => ({
    ...evolveStrikes(state, event),
    account: account.evolve(state.account, event),
  }),
};

function evolveStrikes(state: Strikes, event: AccountEvent): Strikes {
  switch (event.type) {
    case 'AccountWarned': {
      const { id, action, report_id: reportId, status_ids: statusIds } = event.data;
      const inForce =
        action === 'none'
          ? state.inForce
          : { ...state.inForce, [action]: [...(state.inForce[action] ?? []), id] };
      return { ...withStrike(state, { id, action, reportId, statusIds, appeal: null }), inForce };
    }
    case 'UserEnabled':
      return ended(state, 'disable');
    case 'AccountUnsensitized':
      return ended(state, 'sensitive');
    case 'AccountUnsilenced':
      return ended(state, 'silence');
    case 'AccountUnsuspended':
      return ended(state, 'suspend');
    case 'AppealFiled':
      return withAppeal(state, event.data, 'pending');
    case 'AppealWithdrawn':
      return withAppeal(state, event.data, 'withdrawn');
    case 'AppealApproved':
      return overruled(withAppeal(state, event.data, 'approved'), event.data.strike_id);
    case 'AppealRejected':
      return withAppeal(state, event.data, 'rejected');
    default:
      return state;
  }
}

const withStrike = (state: Strikes, strike: Strike): Strikes => ({
  ...state,
  strikes: new Map(state.strikes).set(strike.id, strike),
});

const ended = (state: Strikes, action: StrikeAction): Strikes => ({
  ...state,
  inForce: { ...state.inForce, [action]: undefined },
});

function overruled(state: Strikes, strikeId: Id): Strikes {
  const action = state.strikes.get(strikeId)?.action ?? 'none';
  const left = state.inForce[action]?.filter((id) => id !== strikeId);
  return left ? { ...state, inForce: { ...state.inForce, [action]: left } } : state;
}

function withAppeal(
  state: Strikes,
  { id, strike_id }: { id: Id; strike_id: Id },
  appealState: AppealState,
): Strikes {
  const strike = state.strikes.get(strike_id);
  return strike ? withStrike(state, { ...strike, appeal: { id, state: appealState } }) : state;
}

/** Returns a strike of a local account. @throws RookeryError `not_found` */
export function requireStrike(state: Strikes, strikeId: Id): Strike {
  requireUser(state.account);
  const strike = state.strikes.get(strikeId);
  if (!strike) throw notFound();
  return strike;
}

/** Returns a strike and its appeal. @throws RookeryError `not_found` */
export function requireAppeal(state: Strikes, strikeId: Id): Strike & { appeal: Appeal } {
  const strike = requireStrike(state, strikeId);
  if (!strike.appeal) throw notFound();
  return { ...strike, appeal: strike.appeal };
}
