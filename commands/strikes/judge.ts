import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { MAX_APPEAL } from '#events/appeals.ts';
import type { Lifting, StrikeAction } from '#events/moderation.ts';
import type { Viewer } from '#kernel/context.ts';
import { forbidden, invalid, notFound } from '#kernel/errors.ts';
import { FieldProblems, tooLong } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { isLonger } from '#mastodon/characters.ts';
import { appealOf, judgesOf } from '#queries/admin/appeals/index.ts';
import { type Account, decideLifting, requireBelow } from '../accounts/index.ts';
import { useCase } from '../use-case.ts';
import { requireAppeal, type Strikes, strikes } from './strikes.ts';

/** The deciding member of staff. Undefined is the operator of the server, who may decide every appeal. */
export type Judge = Pick<Viewer, 'account_id' | 'role'> | undefined;

export interface Judgement {
  verdict: 'approved' | 'rejected';
  /** The message to the user; may be empty. */
  note: string;
}

/** The facts about the staff who may decide an appeal. */
export interface Bench {
  /** The author of the strike; null for the operator. */
  imposedBy: Id | null;
  /** Another staff member than the judge may decide it. */
  othersMay: boolean;
}

/**
 * Decides an appeal. Approving it lifts the action in the same append, if only this strike still causes it.
 * @throws RookeryError `not_found`; `forbidden` against equal or higher rank, and for the author of the
 * strike while another may decide; `invalid` when it was withdrawn or decided differently
 */
export const judgeAppeal = useCase({
  prepare: async (ctx, { appealId, judge, ...judgement }: Judgement & { appealId: Id; judge: Judge }) => {
    const appeal = await appealOf(ctx.db, appealId);
    if (!appeal) throw notFound();
    return { ...appeal, judgement, judge };
  },
  stream: ({ account_id }) => accountStream(account_id),
  decider: strikes,
  gather: async (ctx, { judge }, { account }) =>
    (await judgesOf(ctx.db, roleOf(account))).some(({ account_id: id }) => id !== judge?.account_id),
  decide: (state, { strike_id, imposed_by: imposedBy, judgement, judge }, othersMay: boolean) =>
    decideJudgement(state, strike_id, judgement, { judge, imposedBy, othersMay }),
});

const roleOf = (state: Account): string | null =>
  state.state === 'exists' ? (state.user?.role ?? null) : null;

/** Pure. @throws RookeryError as `judgeAppeal` */
export function decideJudgement(
  state: Strikes,
  strikeId: Id,
  { verdict, note }: Judgement,
  { judge, imposedBy, othersMay }: Bench & { judge: Judge },
): AccountEvent[] {
  const { appeal, action } = requireAppeal(state, strikeId);
  const { id: account_id } = requireBelow(state.account, judge);
  if (judge && judge.account_id === imposedBy && othersMay) throw forbidden(FOUR_EYES);
  const problems = new FieldProblems();
  const said = note.trim();
  if (isLonger(said, MAX_APPEAL)) problems.add('note', tooLong(MAX_APPEAL));
  problems.throwIfAny();
  if (appeal.state === verdict) return [];
  if (appeal.state === 'withdrawn') throw invalid('This appeal was withdrawn');
  if (appeal.state !== 'pending') throw invalid('This appeal is decided already');
  const data = { id: appeal.id, account_id, strike_id: strikeId, note: said };
  if (verdict === 'rejected') return [{ type: 'AppealRejected', data }];
  // Another strike may keep the action in force.
  const holding = state.inForce[action] ?? [];
  const lifted = holding.length === 1 && holding[0] === strikeId ? LIFTINGS[action] : null;
  const undone = lifted === null ? [] : decideLifting(state.account, lifted, judge);
  return [...undone, { type: 'AppealApproved', data: { ...data, lifted } }];
}

export const FOUR_EYES =
  'You imposed this strike, so somebody else of the staff has to decide about its appeal';

const LIFTINGS: Record<StrikeAction, Lifting | null> = {
  none: null,
  delete_statuses: null,
  // Posts have streams of their own: the reactor `overruled-marks` ends their marks.
  mark_statuses_as_sensitive: null,
  disable: 'enable',
  sensitive: 'unsensitive',
  silence: 'unsilence',
  suspend: 'unsuspend',
};
