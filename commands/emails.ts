import { z } from 'zod';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { forbidden } from '#kernel/errors.ts';
import { FieldProblems, TAKEN } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import {
  type Account,
  account,
  emailDigest,
  type ExistingAccount,
  normalizeEmail,
  problemsWithEmail,
  releaseEmail,
  requireUser,
  reserveEmail,
  sendConfirmation,
  type User,
  validateEmail,
} from './accounts/index.ts';

/** https://docs.joinmastodon.org/methods/emails/#confirmation */
export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/v1/emails/confirmations',
  summary: 'Send the confirmation mail again, perhaps to another address',
  auth: 'user',
  scopes: ['write:accounts'],
  body: z.object({
    email: z
      .string()
      .max(1_000)
      .nullish()
      .describe(
        'A corrected e-mail address, which replaces the unconfirmed one; absent, the mail goes to the same address; an empty one is refused.',
      ),
  }),
  limit: 'confirmations',
  allowUnconfirmed: true,
  reply: z.object({}),
  handler: async (ctx, { body }) => {
    const { account_id: accountId, application_id: applicationId } = ctx.token;
    await sendConfirmationAgain(ctx, { accountId, applicationId, email: body.email });
    return { json: {} };
  },
});

interface Again {
  accountId: Id;
  /** Null when the user asks in a browser, without an app. */
  applicationId: Id | null;
  /** Another address, when the first one had a typo; an empty one is refused. */
  email?: string | null | undefined;
}

/**
 * Sends another link to a user with an unconfirmed address.
 * @throws RookeryError `forbidden` for another app than that of the sign-up, or once it is confirmed;
 * `invalid`, `unavailable`
 */
export async function sendConfirmationAgain(ctx: CommandContext, again: Again): Promise<void> {
  const { accountId, applicationId } = again;
  const state = await ctx.load(accountStream(accountId), account);
  const { account: mine, user } = requireWaiting(state, applicationId);
  const email = again.email !== undefined ? await moveTo(ctx, again, user.email) : user.email;
  await sendConfirmation(ctx, { accountId, username: mine.username, email });
}

/**
 * Corrects the address. A stop before the correction leaves the new address reserved for the user, who can
 * ask again; a stop after it leaves the old one reserved until the account is erased. @returns the new one in
 * its stored form
 */
async function moveTo(
  ctx: CommandContext,
  { accountId, applicationId, email: given }: Again,
  before: string,
): Promise<string> {
  const problems = new FieldProblems();
  problems.add('email', ...validateEmail(given ?? ''));
  problems.throwIfAny();
  const email = normalizeEmail(given ?? '') ?? '';
  problems.add('email', ...(await problemsWithEmail(ctx, email)));
  problems.throwIfAny();
  if (!(await reserveEmail(ctx, email, accountId))) problems.add('email', TAKEN);
  problems.throwIfAny();
  await ctx.execute(accountStream(accountId), account, (state) =>
    decideCorrectEmail(state, { email, applicationId }),
  );
  if (emailDigest(ctx, email) !== emailDigest(ctx, before)) await releaseEmail(ctx, before, accountId);
  return email;
}

/** Pure. @throws RookeryError `not_found`, `forbidden` */
export function decideCorrectEmail(
  state: Account,
  command: { email: string; applicationId: Id | null },
): AccountEvent[] {
  const { account, user } = requireWaiting(state, command.applicationId);
  if (user.email === command.email) return [];
  return [
    { type: 'UserEmailChanged', data: { account_id: account.id, email: command.email, confirmed: false } },
  ];
}

function requireWaiting(state: Account, applicationId: Id | null): { account: ExistingAccount; user: User } {
  const found = requireUser(state);
  if (applicationId !== null && found.user.applicationId !== applicationId) {
    throw forbidden('This method is only available to the application the user originally signed-up with');
  }
  if (found.user.confirmed) {
    throw forbidden('This method is only available while the e-mail is awaiting confirmation');
  }
  return found;
}

export const emailCommands = [resendConfirmation];
