import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account, type ExistingAccount, hasJustMoved } from '../accounts/index.ts';
import { useCase } from '../use-case.ts';

/** Records the move of a remote account. A reactor moves its followers. */
export const moveRemoteAccount = useCase({
  prepare: ({ now: movedAt }, command: { accountId: Id; targetId: Id }) => ({ ...command, movedAt }),
  stream: ({ accountId }) => accountStream(accountId),
  decider: account,
  decide: decideRemoteMove,
});

/** Decides nothing for the same target, and within 30 days of the last move. Pure. */
export function decideRemoteMove(
  state: Account,
  { targetId, movedAt }: { targetId: Id; movedAt: string },
): AccountEvent[] {
  if (!isThere(state) || state.id === targetId || hasJustMoved(state.moves, movedAt)) return [];
  if (state.moves.to === targetId && state.moves.withFollowers) return [];
  const data = { account_id: state.id, target_account_id: targetId, moved_at: movedAt, with_followers: true };
  return [{ type: 'AccountMoved', data }];
}

/**
 * Records the redirect of a remote account; null for none. A redirect moves no followers, and the other
 * account need not agree.
 */
export const redirectRemoteAccount = useCase({
  prepare: ({ now: movedAt }, command: { accountId: Id; targetId: Id | null }) => ({ ...command, movedAt }),
  stream: ({ accountId }) => accountStream(accountId),
  decider: account,
  decide: decideRemoteRedirect,
  // The same activity may change the profile, too.
  step: () => 'redirect',
});

/** Decides nothing when the target is known already, with or without followers. Pure. */
export function decideRemoteRedirect(
  state: Account,
  { targetId, movedAt }: { targetId: Id | null; movedAt: string },
): AccountEvent[] {
  if (!isThere(state) || state.id === targetId || state.moves.to === targetId) return [];
  const { id: account_id } = state;
  if (targetId === null) return [{ type: 'AccountMoveCancelled', data: { account_id } }];
  const data = { account_id, target_account_id: targetId, moved_at: movedAt, with_followers: false };
  return [{ type: 'AccountMoved', data }];
}

/** Removes a remote account that was deleted on its server. A reactor removes its data. */
export const removeRemoteAccount = useCase({ stream: accountStream, decider: account, decide: decideGone });

/** Also applies to a suspended account. Pure. */
export function decideGone(state: Account): AccountEvent[] {
  const known = state.state === 'exists' && state.domain !== null && !state.gone;
  return known ? [{ type: 'RemoteAccountGone', data: { account_id: state.id } }] : [];
}

/** Tells whether nothing that an account says counts here. */
export const isHidden = ({ suspended, suspendedThere, gone }: ExistingAccount): boolean =>
  suspended || suspendedThere === true || gone === true;

const isThere = (state: Account): state is Extract<Account, { state: 'exists' }> =>
  state.state === 'exists' && state.domain !== null && !isHidden(state);
