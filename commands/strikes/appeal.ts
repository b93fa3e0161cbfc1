import { strikeOf } from '../../queries/strikes/index.ts';
import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import { appealableUntil, MAX_APPEAL } from '../../src/events/appeals.ts';
import { isLonger } from '../../src/mastodon/characters.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { invalid, notFound } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { BLANK, FieldProblems, requireUser, tooLong } from '../accounts/index.ts';
import { requireAppeal, requireStrike, strikes, type Strikes } from './strikes.ts';

/** The text of an appeal. */
export interface Plea {
  /** The id of the appeal. */
  id: Id;
  strikeId: Id;
  text: string;
}

/**
 * Appeals against a strike of the user, only once.
 * @throws RookeryError `not_found`; `invalid` for an unusable text, too late, and a second time
 */
export async function appealStrike(
  ctx: CommandContext,
  accountId: Id,
  { strikeId, text }: Omit<Plea, 'id'>,
): Promise<void> {
  const strike = await strikeOf(ctx.db, strikeId, accountId);
  if (!strike) throw notFound();
  const plea = { id: ctx.newId(), strikeId, text };
  const timing = { struckAt: strike.created_at, now: ctx.now };
  await ctx.execute(accountStream(accountId), strikes, (state) => decideAppeal(state, plea, timing));
}

/** Withdraws an undecided appeal. @throws RookeryError `not_found`; `invalid` after the decision */
export async function withdrawAppeal(ctx: CommandContext, accountId: Id, strikeId: Id): Promise<void> {
  await ctx.execute(accountStream(accountId), strikes, (state) => decideWithdrawal(state, strikeId));
}

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
