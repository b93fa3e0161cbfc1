import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account, requireUser } from '../account.ts';

interface Token {
  applicationId: Id;
  accountId: Id;
  scopes: readonly string[];
}

/**
 * Records and issues an access token for a user, in the operator's name.
 * @returns the bearer token in clear text, which is stored nowhere @throws RookeryError `not_found`
 */
export async function issueToken(ctx: CommandContext, token: Token): Promise<string> {
  await ctx.execute(accountStream(token.accountId), account, (state) => decideIssueToken(state, token));
  return (await ctx.services.tokens.issue(token)).access_token;
}

/** Pure. @throws RookeryError `not_found` */
export function decideIssueToken(state: Account, { applicationId, scopes }: Token): AccountEvent[] {
  const { id: account_id } = requireUser(state).account;
  const data = { account_id, application_id: applicationId, scopes: [...scopes] };
  return [{ type: 'AccessTokenIssued', data }];
}
