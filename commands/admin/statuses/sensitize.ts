import { markWithout, type Status, status } from '#commands/statuses/index.ts';
import { strikes } from '#commands/strikes/index.ts';
import { useCase } from '#commands/use-case.ts';
import { accountStream } from '#events/accounts.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Target } from './remove.ts';

interface Moment {
  editId: Id;
  now: string;
}

/** Marks a post as sensitive, regardless of its author's setting. @throws RookeryError `not_found` */
export const sensitizeStatus = useCase({
  stream: ({ id }: Target) => statusStream(id),
  decider: status,
  gather: momentOf,
  decide: decideSensitize,
});

/** Ends the mark of a strike, or all marks of a post without one. May run again. */
export const liftMark = useCase({
  stream: ({ id }: { id: Id; strikeId: Id | null }) => statusStream(id),
  decider: status,
  gather: momentOf,
  decide: (state, { strikeId }, moment: Moment) => decideLiftMark(state, strikeId, moment),
});

/** Ends the marks of a strike on posts. May run again. */
export async function liftMarksOf(ctx: CommandContext, accountId: Id, strikeId: Id): Promise<void> {
  const strike = (await ctx.load(accountStream(accountId), strikes)).strikes.get(strikeId);
  if (strike?.action !== 'mark_statuses_as_sensitive') return;
  for (const id of strike.statusIds) await liftMark(ctx, { id, strikeId });
}

/** Draws an id for each attempt: after a conflict it must follow that of the faster edit. */
function momentOf(ctx: CommandContext): Moment {
  return { editId: ctx.newId(), now: ctx.now };
}

/**
 * Decides once for each strike. A deleted post stays unchanged. The edit tells other servers and users, like
 * Mastodon's. Pure.
 * @throws RookeryError `not_found` for a post of another account
 */
export function decideSensitize(
  state: Status,
  { accountId, strikeId }: Target,
  moment: Moment,
): StatusEvent[] {
  if (state.state === 'none' || state.data.account_id !== accountId) throw notFound();
  if (state.state === 'deleted' || state.markedBy.includes(strikeId)) return [];
  const { id, account_id } = state.data;
  const sensitive = state.mark?.sensitive ?? state.data.sensitive;
  return [
    ...edited(state, true, moment),
    { type: 'StatusSensitized', data: { id, account_id, strike_id: strikeId, sensitive } },
  ];
}

/** Without marks, the post returns to its author's setting. Pure. @throws RookeryError `not_found` */
export function decideLiftMark(state: Status, strikeId: Id | null, moment: Moment): StatusEvent[] {
  if (state.state === 'none') throw notFound();
  const { mark } = state;
  if (!mark || (strikeId !== null && !mark.strikeIds.includes(strikeId))) return [];
  const { id, account_id } = state.data;
  const isOver = markWithout(mark, strikeId) === null && state.state === 'visible';
  return [
    ...(isOver ? edited(state, mark.sensitive, moment) : []),
    { type: 'StatusUnsensitized', data: { id, account_id, strike_id: strikeId } },
  ];
}

const edited = (
  { data }: Exclude<Status, { state: 'none' }>,
  sensitive: boolean,
  { editId, now }: Moment,
): StatusEvent[] =>
  data.sensitive === sensitive
    ? []
    : [{ type: 'StatusEdited', data: { ...data, sensitive, edit_id: editId, edited_at: now } }];
