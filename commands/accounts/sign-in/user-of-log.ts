import { accountStream, emailStream, usernameStream } from '#events/accounts.ts';
import type { CommandContext, Viewer } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { account } from '../account.ts';
import { emailDigest, reservation } from '../reservations.ts';

interface Found {
  viewer: Viewer;
  email: string;
}

/** Returns a user from the log alone; undefined for an account that is erased or of another server. */
export async function userOfLog(ctx: CommandContext, accountId: Id): Promise<Viewer | undefined> {
  return (await find(ctx, accountId))?.viewer;
}

/** Returns the user with this e-mail address or name from the log alone. */
export async function userNamedInLog(ctx: CommandContext, login: string): Promise<Viewer | undefined> {
  const name = login.trim().toLowerCase();
  const isEmail = name.includes('@');
  if (!isEmail && !/^\w+$/.test(name)) return undefined;
  const stream = isEmail ? emailStream(emailDigest(ctx, name)) : usernameStream(name);
  const { holder } = await ctx.load(stream, reservation);
  const found = holder === null ? undefined : await find(ctx, holder);
  if (!found) return undefined;
  // An address may be reserved by a user who still has another one, and all spellings of a mailbox share a reservation.
  const own = isEmail ? found.email : found.viewer.username;
  return own.toLowerCase() === name ? found.viewer : undefined;
}

async function find(ctx: CommandContext, accountId: Id): Promise<Found | undefined> {
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || !state.user) return undefined;
  const { id, username, suspended, moves, user } = state;
  const { role, confirmed, approved, disabled, email } = user;
  const moved = moves.to !== null;
  return {
    viewer: { account_id: id, username, role, confirmed, approved, disabled, suspended, moved },
    email,
  };
}
