import { confirmationMail } from '#commands/mails/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError, RookeryError } from '#kernel/errors.ts';
import { type Id, isId } from '#kernel/ids.ts';
import { type Account, account, requireUser, type User } from '../account.ts';
import { mailLink } from './mailed-link.ts';

/** The kind of the one-time codes, which are valid for two days. */
const CODE = 'confirmation';

/** Mails the link that confirms an address. @throws RookeryError `unavailable` */
export async function sendConfirmation(
  ctx: CommandContext,
  { accountId, username, email }: { accountId: Id; username: string; email: string },
): Promise<void> {
  const { domain, origin } = ctx.instance;
  await mailLink(ctx, { kind: CODE, accountId, to: email }, (code) => {
    const link = new URL('/auth/confirmation', origin);
    // Contains the account's id, so that a used link can still say so.
    link.searchParams.set('confirmation_token', `${accountId}.${code}`);
    return confirmationMail({ domain, username, link: link.href });
  });
}

/** Sends the same mail, but ignores failures: the user can request another one. */
export async function trySendConfirmation(
  ctx: CommandContext,
  user: { accountId: Id; username: string; email: string },
): Promise<void> {
  try {
    await sendConfirmation(ctx, user);
  } catch (error) {
    if (!isRookeryError(error)) throw error;
  }
}

/**
 * Confirms the address that a link was sent to. A repeat changes nothing.
 * @returns whether this use confirmed it, and further facts about the user: none if the link was used before,
 * since then it only names its account
 * @throws RookeryError `gone` when the link is too old, was made for another address, or was never sent
 */
export async function confirm(
  ctx: CommandContext,
  token: string,
): Promise<{ isNew: boolean; user?: Pick<User, 'applicationId' | 'approved'> }> {
  const [accountId = '', code = ''] = token.split('.', 2);
  const used = await ctx.services.credentials.useCode(CODE, code);
  if (!used) return usedBefore(ctx, accountId);
  const { state, events } = await ctx.execute(accountStream(used.accountId), account, (current) =>
    decideConfirm(current, used.value),
  );
  return { isNew: events.length > 0, user: requireUser(state).user };
}

/** Pure. @throws RookeryError `not_found`, `gone` */
export function decideConfirm(state: Account, email: string): AccountEvent[] {
  const { account, user } = requireUser(state);
  if (user.email !== email) throw staleLink();
  return user.confirmed ? [] : [{ type: 'UserConfirmed', data: { account_id: account.id, email } }];
}

async function usedBefore(ctx: CommandContext, accountId: string): ReturnType<typeof confirm> {
  if (!isId(accountId)) throw staleLink();
  const state = await ctx.load(accountStream(accountId), account);
  if (state.state !== 'exists' || !state.user?.confirmed) throw staleLink();
  return { isNew: false };
}

const staleLink = (): RookeryError =>
  new RookeryError('gone', 'This link is too old or was made for another address');
