import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { type Lifting, type StrikeAction } from '#events/moderation.ts';
import type { CommandContext } from '#kernel/context.ts';
import { forbidden, invalid, notFound } from '#kernel/errors.ts';
import { BLANK, FieldProblems, UNKNOWN } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { outranks } from '#mastodon/permissions.ts';
import { type Account, account, type ExistingAccount } from './account.ts';
import { forgetTokens, tryTellApproved } from './modify-user.ts';

/** The acting member of staff. Undefined is the operator of the server, who outranks every account. */
export type Staff = { role: string | null } | undefined;

/** An action against an account, and the message to its owner. */
export interface Sanction {
  action: StrikeAction;
  /** The id of the strike. */
  id: Id;
  text: string;
  reportId: Id | null;
  statusIds: readonly Id[];
  /** Whether the user is told, by a notification and a mail. */
  notify: boolean;
}

/**
 * Warns, marks as sensitive, disables, limits or suspends. Repeating an action only adds another strike, as
 * in Mastodon.
 * @throws RookeryError `not_found`; `forbidden` against equal or higher rank; `invalid` when the action does
 * not apply to such an account
 */
export async function takeAction(
  ctx: CommandContext,
  accountId: Id,
  sanction: Sanction,
  staff: Staff,
): Promise<void> {
  await decide(ctx, accountId, (state) => decideAction(state, sanction, staff));
  await forgetTokens(ctx, accountId);
}

/**
 * Lifts an action. @throws RookeryError `not_found`; `forbidden` against equal or higher rank, and when there
 * is nothing to lift
 */
export async function lift(ctx: CommandContext, accountId: Id, what: Lifting, staff: Staff): Promise<void> {
  await decide(ctx, accountId, (state) => decideLifting(state, what, staff));
}

/**
 * Approves a waiting sign-up, and mails the user. @throws RookeryError `not_found`, `forbidden` when none is
 * waiting
 */
export async function approveSignUp(ctx: CommandContext, accountId: Id, staff: Staff): Promise<void> {
  const state = await decide(ctx, accountId, (current) => decideOnSignUp(current, 'UserApproved', staff));
  await tryTellApproved(ctx, state);
}

/**
 * Rejects a waiting sign-up: the account is gone, its name and address are free (`reservations.ts`). The
 * reactor `erasures` erases the user's data.
 * @throws RookeryError `not_found`, `forbidden` when none is waiting
 */
export async function rejectSignUp(ctx: CommandContext, accountId: Id, staff: Staff): Promise<void> {
  await decide(ctx, accountId, (current) => decideOnSignUp(current, 'UserRejected', staff));
  await ctx.services.tokens.revokeAllOf(accountId);
}

async function decide(
  ctx: CommandContext,
  accountId: Id,
  work: (state: Account) => AccountEvent[],
): Promise<Account> {
  return (await ctx.execute(accountStream(accountId), account, work)).state;
}

/** Pure. @throws RookeryError as `takeAction` */
export function decideAction(state: Account, sanction: Sanction, staff: Staff): AccountEvent[] {
  const target = requireBelow(state, staff);
  const { action, id, text, reportId: report_id, notify } = sanction;
  const account_id = target.id;
  const event = eventOf(target, action);
  const strike: AccountEvent = {
    type: 'AccountWarned',
    data: {
      id,
      account_id,
      action,
      text,
      report_id,
      status_ids: [...sanction.statusIds],
      notified: notify && target.user !== null,
    },
  };
  return event ? [event, strike] : [strike];
}

/** Returns the event of the action; undefined for a mere warning. */
function eventOf(target: ExistingAccount, action: StrikeAction): AccountEvent | undefined {
  const data = { account_id: target.id };
  switch (action) {
    case 'none':
    case 'delete_statuses':
    case 'mark_statuses_as_sensitive':
      return undefined;
    case 'sensitive':
      return target.sensitized ? undefined : { type: 'AccountSensitized', data };
    case 'silence':
      return target.silenced ? undefined : { type: 'AccountSilenced', data };
    case 'suspend':
      return target.suspended ? undefined : { type: 'AccountSuspended', data };
    case 'disable':
      if (!target.user)
        throw invalid('Validation failed: Type cannot be done to an account of another server');
      return target.user.disabled ? undefined : { type: 'UserDisabled', data };
  }
}

/** Pure. @throws RookeryError as `lift` */
export function decideLifting(state: Account, what: Lifting, staff: Staff): AccountEvent[] {
  const target = requireBelow(state, staff);
  const data = { account_id: target.id };
  switch (what) {
    case 'enable':
      if (!target.user) throw forbidden();
      return target.user.disabled ? [{ type: 'UserEnabled', data }] : [];
    case 'unsensitive':
      return target.sensitized ? [{ type: 'AccountUnsensitized', data }] : [];
    case 'unsilence':
      return target.silenced ? [{ type: 'AccountUnsilenced', data }] : [];
    case 'unsuspend':
      if (!target.suspended) throw forbidden();
      return [{ type: 'AccountUnsuspended', data }];
  }
}

/** Pure. @throws RookeryError `not_found`; `forbidden` when no sign-up is waiting */
export function decideOnSignUp(
  state: Account,
  type: 'UserApproved' | 'UserRejected',
  staff: Staff,
): AccountEvent[] {
  const target = requireBelow(state, staff);
  if (!target.user || target.user.approved) throw forbidden();
  return [{ type, data: { account_id: target.id } }];
}

/**
 * Returns the account, if the staff member outranks it; never their own. @throws RookeryError `not_found`,
 * `forbidden`
 */
export function requireBelow(state: Account, staff: Staff): ExistingAccount {
  if (state.state !== 'exists') throw notFound();
  if (staff && !outranks(staff.role, state.user?.role ?? null)) throw forbidden();
  return state;
}

/** Refuses the type of an action, in Mastodon's words. @throws RookeryError `invalid` */
export function refuseType(given: string | null | undefined): never {
  const problems = new FieldProblems();
  problems.add('type', ...(given?.trim() ? [] : [BLANK]), UNKNOWN);
  problems.throwIfAny();
  throw new Error('A refused type is a problem');
}
