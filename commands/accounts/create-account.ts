import { type AccountEvent, accountStream, emptyProfile, type UserRole } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { FieldProblems, TAKEN } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account } from './account.ts';
import { releaseEmail, reserveEmail, reserveUsername } from './reservations.ts';

/** A new user, checked except for the availability of name and address. */
export interface NewAccount {
  username: string;
  /** In the form of `normalizeEmail`. */
  email: string;
  password: string;
  locale: string;
  confirmed: boolean;
  approved: boolean;
  role: UserRole | null;
  reason: string | null;
  applicationId: Id | null;
  signUpIp: string | null;
}

/**
 * Creates a local account and its user: for sign-ups, the command line and the owner of a new server.
 * Reserves name and address first; a later sign-up can take over what a crash leaves (`reservations.ts`).
 * @throws RookeryError `invalid` with ERR_TAKEN
 */
export async function createAccount(
  ctx: CommandContext,
  command: NewAccount,
  id: Id = ctx.newId(),
): Promise<Id> {
  const problems = new FieldProblems();
  // First, so that no account ever lacks its password.
  await ctx.services.credentials.setPassword(id, command.password);
  if (!(await reserveEmail(ctx, command.email, id))) problems.add('email', TAKEN);
  problems.throwIfAny();
  if (!(await reserveUsername(ctx, command.username, id))) {
    await releaseEmail(ctx, command.email, id);
    problems.add('username', TAKEN);
  }
  problems.throwIfAny();
  const facts = { id, now: ctx.now, origin: ctx.instance.origin };
  await ctx.execute(accountStream(id), account, (state) => decideCreate(state, command, facts), {
    isNew: true,
  });
  return id;
}

/** Creates an account with its user. Pure. @throws RookeryError `conflict` when the stream is not empty */
export function decideCreate(
  state: Account,
  command: NewAccount,
  { id, now, origin }: { id: Id; now: string; origin: string },
): AccountEvent[] {
  if (state.state !== 'none') throw new RookeryError('conflict', 'The sign-up took too long; try again');
  const { username, email, locale, confirmed, approved, role, reason } = command;
  return [
    {
      type: 'AccountCreated',
      data: {
        id,
        username,
        domain: null,
        uri: `${origin}/users/${username}`,
        url: `${origin}/@${username}`,
        created_at: now,
        ...emptyProfile,
      },
    },
    {
      type: 'UserRegistered',
      data: {
        account_id: id,
        email,
        locale,
        confirmed,
        approved,
        role,
        reason,
        application_id: command.applicationId,
        sign_up_ip: command.signUpIp,
      },
    },
  ];
}
