import { z } from 'zod';
import { INSTANCE_STREAM } from '#events/instance.ts';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { forbidden, type ValidationDetail } from '#kernel/errors.ts';
import { FieldProblems, TAKEN, tooLong } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { languageCode } from '#mastodon/language.ts';
import { tokenSchema } from '#mastodon/schemas/index.ts';
import { signUpApplication } from '#queries/accounts/index.ts';
import { severityAgainst } from '#queries/admin/ip-blocks/index.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { emailNeedsApproval, problemsWithEmail } from './blocked-email.ts';
import { createAccount, type NewAccount } from './create-account.ts';
import { registrations } from './registrations.ts';
import { isEmailTaken, isUsernameTaken } from './reservations.ts';
import { trySendConfirmation } from './sign-in/confirmation.ts';
import {
  MAX_USERNAME_LENGTH,
  normalizeEmail,
  validateEmail,
  validatePassword,
  validateUsername,
} from './validation.ts';

/** The length of the reason for joining, in UTF-16 units. */
export const MAX_REASON = 420;
/** Bounds the work; a validation code reports text that is too long. */
const text = z.string().max(10_000).nullish();

const AGREED = new Set<unknown>([true, 'true', 1, '1']);

/** The fields of a sign-up, in the API and in a browser. */
export const signUpBody = z.object({
  username: text.describe(`The username: at most ${MAX_USERNAME_LENGTH} letters, digits and underscores.`),
  email: text.describe('The e-mail address, to which a link for its confirmation is sent.'),
  password: text.describe('The password, of at least 8 characters.'),
  /** Only `true` and `1` count as consent. */
  agreement: z
    .preprocess((value: boolean | number | string) => AGREED.has(value), z.boolean())
    .optional()
    .describe('The consent to the rules and terms of the server; must be true.'),
  locale: text.describe(
    'The code of the language of mails and pages for the user; an unknown one is ignored.',
  ),
  reason: text.describe(
    `Why the user wants to join, for staff who approve sign-ups, in at most ${MAX_REASON} characters.`,
  ),
  /** Accepted, as apps may send it; this server has no minimum age. */
  date_of_birth: z
    .unknown()
    .optional()
    .describe('The date of birth, which this server accepts and does not use.'),
});
export type SignUpInput = z.output<typeof signUpBody>;

/** https://docs.joinmastodon.org/methods/accounts/#create */
export const signUp = endpoint({
  method: 'POST',
  path: '/api/v1/accounts',
  summary: 'Sign up',
  auth: 'app',
  openInLimitedMode: true,
  scopes: ['write:accounts'],
  body: signUpBody,
  requires: ['username', 'email', 'password', 'agreement'],
  limit: 'sign_up',
  reply: tokenSchema,
  handler: async (ctx, { body: input }) => {
    if (ctx.token.account_id !== undefined) {
      throw forbidden('This method requires an client credentials authentication');
    }
    const applicationId = ctx.token.application_id;
    const accountId = await register(ctx, input, applicationId);
    // The user's token has the scopes of the application's registration, as in Mastodon.
    const application = await signUpApplication(ctx.db, applicationId);
    const scopes = application?.scopes ?? ctx.token.scopes;
    return { json: await ctx.services.tokens.issue({ applicationId, accountId, scopes }) };
  },
});

/** `approved`: staff must approve. `blocked`: open, but not for this address. */
export type Admission = 'open' | 'approved' | 'closed' | 'blocked';

/** Tells whether the sender of this request may sign up. */
export async function admissionOf(ctx: RequestContext): Promise<Admission> {
  const { registrations: mode } = await instanceSettings(ctx.db);
  if (mode === 'closed') return 'closed';
  const severity = await severityAgainst(ctx.db, ctx.ip, ctx.now);
  if (severity === 'sign_up_block' || severity === 'no_access') return 'blocked';
  return severity === 'sign_up_requires_approval' ? 'approved' : mode;
}

/**
 * Signs a user up, and mails the link that confirms the address. `applicationId` is null in a browser.
 * @returns the id of the account
 * @throws RookeryError `forbidden` while registrations are closed; `invalid` with all problems
 */
export async function register(
  ctx: RequestContext,
  input: SignUpInput,
  applicationId: Id | null,
): Promise<Id> {
  const admission = await admissionOf(ctx);
  if (admission === 'closed' || admission === 'blocked') throw forbidden();
  // The read models of a new server may not know yet that it is closed.
  if ((await ctx.load(INSTANCE_STREAM, registrations)) === 'closed') throw forbidden();

  // A retry with the same Idempotency-Key gets the same id, and so finds its own reservations.
  const accountId = ctx.newId();
  const { problems, fields } = checkSignUp(input);
  if (problems.isFine('username') && (await isUsernameTaken(ctx, fields.username, accountId)))
    problems.add('username', TAKEN);
  if (problems.isFine('email') && (await isEmailTaken(ctx, fields.email, accountId)))
    problems.add('email', TAKEN);
  if (problems.isFine('email')) problems.add('email', ...(await problemsWithEmail(ctx, fields.email)));
  problems.throwIfAny();

  const command = {
    ...fields,
    confirmed: false,
    approved: admission === 'open' && !(await emailNeedsApproval(ctx, fields.email)),
    role: null,
    applicationId,
    signUpIp: ctx.ip,
  };
  await createAccount(ctx, command, accountId);
  await trySendConfirmation(ctx, { accountId, username: fields.username, email: fields.email });
  return accountId;
}

type Fields = Pick<NewAccount, 'username' | 'email' | 'password' | 'locale' | 'reason'>;

/** Returns the problems of the fields alone, and their stored form. Pure. */
export function checkSignUp(input: SignUpInput): { problems: FieldProblems; fields: Fields } {
  const problems = new FieldProblems();
  const { username, email, password, locale, reason } = input;
  problems.add('username', ...validateUsername(username ?? ''));
  problems.add('email', ...validateEmail(email ?? ''));
  problems.add('password', ...validatePassword(password ?? ''));
  if (input.agreement !== true) problems.add('agreement', NOT_ACCEPTED);
  const language = languageCode(locale || 'en');
  const why = reason?.trim() || null;
  if (why !== null && why.length > MAX_REASON) problems.add('reason', tooLong(MAX_REASON));
  return {
    problems,
    fields: {
      username: username ?? '',
      email: normalizeEmail(email ?? '') ?? '',
      password: password ?? '',
      locale: language ?? 'en',
      reason: why,
    },
  };
}

const NOT_ACCEPTED: ValidationDetail = { error: 'ERR_ACCEPTED', description: 'must be accepted' };
