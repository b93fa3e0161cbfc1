import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { RemoteTallies } from '#events/federation.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account } from '../accounts/index.ts';
import { useCase } from '../use-case.ts';
import { isHidden } from './moves.ts';

/**
 * Milliseconds between two counts of one account: less than a day, so that a daily refresh is not postponed
 * to the next one.
 */
const PAUSE = 20 * 3_600_000;

const NAMES = ['followers', 'following', 'statuses'] as const;

/** Records the counts from an account's own server. */
export const countRemoteAccount = useCase({
  prepare: ({ now }, { accountId, tallies }: { accountId: Id; tallies: RemoteTallies }) => ({
    accountId,
    tallies,
    now,
  }),
  stream: ({ accountId }) => accountStream(accountId),
  decider: account,
  decide: (state, { accountId, tallies, now }) => decideCount(state, accountId, tallies, now),
  step: () => 'count',
});

/** Decides nothing for unchanged numbers, and within the pause. Pure. */
export function decideCount(
  state: Account,
  accountId: Id,
  tallies: RemoteTallies,
  now: string,
): AccountEvent[] {
  if (state.state !== 'exists' || state.domain === null || isHidden(state)) return [];
  const { counted } = state;
  if (counted && Date.parse(now) - Date.parse(counted.at) < PAUSE) return [];
  const isNews = NAMES.some((name) => {
    const tally = tallies[name];
    return tally !== null && tally.total - tally.known !== (counted?.elsewhere[name] ?? 0);
  });
  return isNews
    ? [{ type: 'RemoteAccountCounted', data: { account_id: accountId, counted_at: now, ...tallies } }]
    : [];
}
