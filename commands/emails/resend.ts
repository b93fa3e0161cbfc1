import { z } from 'zod';
import { accountStream, type AccountEvent } from '../../src/events/accounts.ts';
import type { UserContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { forbidden } from '../../src/kernel/errors.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import {
  account,
  emailDigest,
  FieldProblems,
  normalizeEmail,
  problemsWithEmail,
  releaseEmail,
  requireUser,
  reserveEmail,
  sendConfirmation,
  TAKEN,
  validateEmail,
  type Account,
  type ExistingAccount,
  type User,
} from '../accounts/index.ts';

/** https://docs.joinmastodon.org/methods/emails/#confirmation */
export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/v1/emails/confirmations',
  summary: 'Send the confirmation mail again, perhaps to another address',
  auth: 'user',
  scopes: ['write:accounts'],
  body: z.object({ email: z.string().max(1_000).nullish() }),
  limit: 'sign_in',
  allowUnconfirmed: true,
  reply: z.object({}),
  handler: async (ctx, { body }) => {
    const { account_id: accountId, application_id: applicationId } = ctx.token;
    const { state } = await ctx.execute(accountStream(accountId), account, () => []);
    const { account: mine, user } = requireWaiting(state, applicationId);
    const email = body.email?.trim() ? await moveTo(ctx, body.email, user.email) : user.email;
    await sendConfirmation(ctx, { accountId, username: mine.username, email });
    return { json: {} };
  },
});

/** Corrects the address. @returns the new one as stored */
async function moveTo(ctx: UserContext, given: string, before: string): Promise<string> {
  const { account_id: accountId, application_id: applicationId } = ctx.token;
  const problems = new FieldProblems();
  problems.add('email', ...validateEmail(given));
  problems.throwIfAny();
  const email = normalizeEmail(given) ?? '';
  await ctx.settle([MAIN]);
  problems.add('email', ...(await problemsWithEmail(ctx, email)));
  problems.throwIfAny();
  if (!(await reserveEmail(ctx, email, accountId))) problems.add('email', TAKEN);
  problems.throwIfAny();
  await ctx.execute(accountStream(accountId), account, (state) =>
    decideCorrectEmail(state, { email, applicationId }),
  );
  if (emailDigest(ctx, email) !== emailDigest(ctx, before)) await releaseEmail(ctx, before, accountId);
  await ctx.settle([MAIN]);
  return email;
}

/** Pure. @throws RookeryError `not_found`, `forbidden` */
export function decideCorrectEmail(
  state: Account,
  command: { email: string; applicationId: string },
): AccountEvent[] {
  const { account, user } = requireWaiting(state, command.applicationId);
  if (user.email === command.email) return [];
  return [
    {
      type: 'UserEmailChanged',
      data: { account_id: account.id, email: command.email, confirmed: false },
    },
  ];
}

function requireWaiting(state: Account, applicationId: string): { account: ExistingAccount; user: User } {
  const found = requireUser(state);
  if (found.user.applicationId !== applicationId) {
    throw forbidden('This method is only available to the application the user originally signed-up with');
  }
  if (found.user.confirmed) {
    throw forbidden('This method is only available while the e-mail is awaiting confirmation');
  }
  return found;
}
