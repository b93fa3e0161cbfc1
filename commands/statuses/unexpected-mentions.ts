import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import { accountsText } from '#queries/accounts/index.ts';

const MESSAGE = 'Post would be sent to unexpected accounts';

/** A post is refused because of the accounts that it mentions. */
export class UnexpectedMentions extends RookeryError {
  readonly accountIds: readonly string[];

  constructor(accountIds: readonly string[]) {
    super('invalid', MESSAGE);
    this.accountIds = accountIds;
  }
}

/**
 * Rethrows the error. `UnexpectedMentions` gets the accounts in Mastodon's member `unexpected_accounts`: an
 * app shows them, and asks whether to post all the same.
 */
export async function throwWithAccounts({ db, instance }: CommandContext, error: unknown): Promise<never> {
  if (!(error instanceof UnexpectedMentions)) throw error;
  const accounts = await accountsText(db, instance, error.accountIds);
  throw new RookeryError('invalid', MESSAGE, {
    members: { unexpected_accounts: parseJson(accounts) },
    cause: error,
  });
}
