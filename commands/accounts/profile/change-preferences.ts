import { accountStream } from '#events/accounts.ts';
import type { UserContext } from '#kernel/context.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import { account } from '../account.ts';
import { checkPreferences, type PreferencesInput } from './preferences.ts';
import { decidePreferences } from './profile.ts';

/**
 * Changes the caller's preferences; `label` returns the request's name of each.
 * @throws RookeryError `invalid` with all problems
 */
export async function changePreferences(
  ctx: UserContext,
  input: PreferencesInput,
  label: (name: keyof PreferencesInput) => string,
): Promise<void> {
  const problems = new FieldProblems();
  const changes = checkPreferences(input, problems, label);
  problems.throwIfAny();
  await ctx.execute(accountStream(ctx.viewer.account_id), account, (state) =>
    decidePreferences(state, changes),
  );
}
