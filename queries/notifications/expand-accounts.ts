import { RookeryError } from '#kernel/errors.ts';
import { wordText } from '#kernel/input.ts';

export const expandAccountsParameter = {
  expand_accounts: wordText(['full', 'partial_avatars'], 100)
    .optional()
    .describe(
      'How accounts are returned: `full` (the default), or `partial_avatars` for avatars of all but the newest; any other value gives 400.',
    ),
};

/**
 * Returns true if only the newest accounts are returned in full. @throws RookeryError `bad_request` for an
 * unknown value
 */
export function isPartial(value: string | undefined): boolean {
  if (value === undefined || value === 'full') return false;
  if (value === 'partial_avatars') return true;
  const allowed = "allowed values are 'full' and 'partial_avatars'";
  throw new RookeryError('bad_request', `Invalid value for 'expand_accounts': '${value}', ${allowed}`);
}
