import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { appealableUntil, MAX_APPEAL } from '#events/appeals.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { BLANK, FieldProblems, tooLong } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { isLonger } from '#mastodon/characters.ts';
import { strikeOf } from '#queries/strikes/index.ts';
import { requireUser } from '../accounts/index.ts';
import { useCase } from '../use-case.ts';
import { requireAppeal, requireStrike, type Strikes, strikes } from './strikes.ts';

/** The text of an appeal. */
export interface Plea {
  /** The id of the appeal. */
  id: Id;
  strikeId: Id;
  text: string;
}

interface OwnStrike {
  accountId: Id;
  strikeId: Id;
}

/**
 * Appeals against a strike of the user, only once.
 * @throws RookeryError `not_found`; `invalid` for an unusable text, too late, and a second time
 */
export const appealStrike = useCase({
  prepare: async (ctx, { accountId, strikeId, text }: OwnStrike & { text: string }) => {
    const strike = await strikeOf(ctx.db, strikeId, accountId);
    if (!strike) throw notFound();
    const plea = { id: ctx.newId(), strikeId, text };
    return { accountId, plea, timing: { struckAt: strike.created_at, now: ctx.now } };
  },
  stream: ({ accountId }) => accountStream(accountId),
  decider: strikes,
  decide: (state, { plea, timing }) => decideAppeal(state, plea, timing),
});

/** Withdraws an undecided appeal. @throws RookeryError `not_found`; `invalid` after the decision */
export const withdrawAppeal = useCase({
  stream: ({ accountId }: OwnStrike) => accountStream(accountId),
  decider: strikes,
  decide: (state, { strikeId }) => decideWithdrawal(state, strikeId),
});

/** Pure; times are ISO 8601. @throws RookeryError as `appealStrike` */
export function decideAppeal(
  state: Strikes,
  { id, strikeId, text }: Plea,
  { struckAt, now }: { struckAt: string; now: string },
): AccountEvent[] {
  const strike = requireStrike(state, strikeId);
  const problems = new FieldProblems();
  const said = text.trim();
  if (said === '') problems.add('text', BLANK);
  if (isLonger(said, MAX_APPEAL)) problems.add('text', tooLong(MAX_APPEAL));
  problems.throwIfAny();
  if (strike.appeal) throw invalid('This strike was appealed already, and that can be done once');
  if (now > appealableUntil(struckAt)) throw invalid('It is too late to appeal this strike');
  const { id: account_id } = requireUser(state.account).account;
  return [{ type: 'AppealFiled', data: { id, account_id, strike_id: strikeId, text: said } }];
}

/** Pure. @throws RookeryError as `withdrawAppeal` */
export function decideWithdrawal(state: Strikes, strikeId: Id): AccountEvent[] {
  const { appeal } = requireAppeal(state, strikeId);
  if (appeal.state === 'withdrawn') return [];
  if (appeal.state !== 'pending') throw invalid('This appeal is decided already');
  const { id: account_id } = requireUser(state.account).account;
  return [{ type: 'AppealWithdrawn', data: { id: appeal.id, account_id, strike_id: strikeId } }];
}
