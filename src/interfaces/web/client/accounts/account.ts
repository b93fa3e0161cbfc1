import { type Html, type Part } from '#interfaces/web/design/html.ts';
import { followButton, personItem } from '#interfaces/web/entities/person.ts';
import type { SignedInRequest, WebRequest } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { isRookeryError, notFound } from '#kernel/errors.ts';
import type { Account, Relationship } from '#mastodon/schemas/index.ts';

/** An account, and the user's relationship to it. */
export interface Person {
  account: Account;
  relationship: Relationship;
  /** It is the user's own. */
  isSelf: boolean;
}

/** Returns the known account in the path. @throws RookeryError `not_found` */
export async function accountAt(request: WebRequest<{ name: string }>): Promise<Account> {
  const query = { acct: request.params.name };
  return (await request.api('GET v1/accounts/lookup', { query })).entity;
}

/** The same, after asking the account's server about one that is not known here. */
export async function resolvedAccountAt(request: WebRequest<{ name: string }>): Promise<Account> {
  try {
    return await accountAt(request);
  } catch (error) {
    const { name } = request.params;
    if (!isRookeryError(error) || error.code !== 'not_found' || !name.includes('@')) throw error;
    const query = { q: `@${name}`, type: 'accounts', resolve: 'true', limit: '5' } as const;
    const { entity } = await request.api('GET v2/search', { query });
    const found = entity.accounts.find(({ acct }) => acct.toLowerCase() === name.toLowerCase());
    if (!found) throw error;
    return found;
  }
}

/** Returns the user's relationships to accounts, by id. */
export async function relationshipsWith(
  request: SignedInRequest,
  accounts: readonly Pick<Account, 'id'>[],
): Promise<Map<string, Relationship>> {
  if (accounts.length === 0) return new Map();
  const query = { id: accounts.map(({ id }) => id), with_suspended: 'true' };
  const { entity } = await request.api('GET v1/accounts/relationships', { query });
  return new Map(entity.map((each) => [each.id, each]));
}

/** Returns the account in the path with the user's relationship to it. @throws RookeryError `not_found` */
export const personAt = async (request: SignedInRequest<{ name: string }>): Promise<Person> =>
  personOf(request, await accountAt(request));

/** Returns an account with the user's relationship to it. @throws RookeryError `not_found` if it has just gone */
export async function personOf(request: SignedInRequest, account: Account): Promise<Person> {
  const relationship = (await relationshipsWith(request, [account])).get(account.id);
  if (!relationship) throw notFound();
  return { account, relationship, isSelf: account.id === request.user.account_id };
}

/** Renders accounts of a list, each with the button for the user's follow, by one call for all. */
export async function peopleToFollow(
  request: WebRequest,
  accounts: readonly Account[],
  more: (account: Account) => { line?: Part; note?: boolean } = () => ({}),
): Promise<Html[]> {
  const { user } = request;
  const relationships = user && (await relationshipsWith({ ...request, user }, accounts));
  const view = viewOf(request);
  return accounts.map((account) =>
    personItem(account, view, {
      ...more(account),
      actions: followButton(account, relationships?.get(account.id), view, { listed: true }),
    }),
  );
}
