import {
  type AccountEvent,
  accountStream,
  emailStream,
  type ReservationEvent,
  usernameStream,
} from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import { timeOfId } from '#kernel/ids.ts';
import { type Account, account } from './account.ts';
import { canonicalEmail } from './validation.ts';

/** The owner of a username or an e-mail address: an account id. */
export interface Reservation {
  holder: string | null;
}

export const reservation: Decider<Reservation, ReservationEvent> = {
  initialState: { holder: null },
  evolve: (_, { type, data }) => ({ holder: type === 'EmailReleased' ? null : data.account_id }),
};

/** Milliseconds after which an unfinished sign-up counts as interrupted. */
export const SIGN_UP_PATIENCE = 10 * 60_000;

/** Reserves a username for an account. Returns false when another account has it. */
export const reserveUsername = (ctx: CommandContext, username: string, accountId: string): Promise<boolean> =>
  reserve(ctx, usernameStream(username), {
    type: 'UsernameReserved',
    data: { username: username.toLowerCase(), account_id: accountId },
  });

/**
 * Reserves an address for an account. Returns false when another account has it, or one of the same mailbox.
 */
export function reserveEmail(ctx: CommandContext, email: string, accountId: string): Promise<boolean> {
  const digest = emailDigest(ctx, email);
  return reserve(ctx, emailStream(digest), {
    type: 'EmailReserved',
    data: { digest, account_id: accountId },
  });
}

/** Releases an address, unless another account has it by now. */
export async function releaseEmail(ctx: CommandContext, email: string, accountId: string): Promise<void> {
  const digest = emailDigest(ctx, email);
  const event: ReservationEvent = { type: 'EmailReleased', data: { digest, account_id: accountId } };
  await ctx.execute(emailStream(digest), reservation, ({ holder }) => (holder === accountId ? [event] : []), {
    step: 'release',
  });
}

/** Tells whether another account has the username. */
export const isUsernameTaken = (ctx: CommandContext, username: string, accountId: string): Promise<boolean> =>
  isTaken(ctx, usernameStream(username), accountId);
/** Tells whether another account has the address, or one of the same mailbox. */
export const isEmailTaken = (ctx: CommandContext, email: string, accountId: string): Promise<boolean> =>
  isTaken(ctx, emailStream(emailDigest(ctx, email)), accountId);

/** Returns the account of a local username, from the log; undefined without one. */
export async function holderOfUsername(ctx: CommandContext, username: string): Promise<string | undefined> {
  const state = await ctx.load(usernameStream(username), reservation);
  return state.holder ?? undefined;
}

export const emailDigest = (ctx: CommandContext, email: string): string =>
  ctx.services.emailDigest(canonicalEmail(email));

async function reserve(ctx: CommandContext, stream: string, event: ReservationEvent): Promise<boolean> {
  const mine = event.data.account_id;
  const first = await ctx.execute(stream, reservation, ({ holder }) => (holder === null ? [event] : []));
  const { holder } = first.state;
  if (holder === null || holder === mine) return true;
  if (!(await isGone(ctx, holder))) return false;
  const second = await ctx.execute(stream, reservation, (state) => (state.holder === holder ? [event] : []), {
    step: 'take over',
  });
  return second.state.holder === mine;
}

async function isTaken(ctx: CommandContext, stream: string, accountId: string): Promise<boolean> {
  const { holder } = await ctx.load(stream, reservation);
  return holder !== null && holder !== accountId && !(await isGone(ctx, holder));
}

/**
 * A crash can leave a reservation behind without an account. After a while the account's stream is closed, so that the
 * sign-up cannot complete any more, however slow it was; from then on its name and address are free. So are those of a sign-up
 * that the staff turned down. The name of an account that was erased stays taken.
 */
async function isGone(ctx: CommandContext, holder: string): Promise<boolean> {
  const { state } = await ctx.execute(
    accountStream(holder),
    account,
    (current) => decideAbandon(current, holder, ctx.now),
    { step: 'abandon' },
  );
  return state.state === 'abandoned' || state.state === 'rejected';
}

/** Closes the stream of a sign-up that began too long ago. Pure. */
export function decideAbandon(state: Account, accountId: string, now: string): AccountEvent[] {
  const isOld = Date.parse(now) - timeOfId(accountId) > SIGN_UP_PATIENCE;
  return state.state === 'none' && isOld
    ? [{ type: 'SignUpAbandoned', data: { account_id: accountId } }]
    : [];
}
