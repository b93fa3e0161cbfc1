import { lookupAccount } from '../../../../queries/accounts/index.ts';
import type { Account, Status } from '../../../mastodon/schemas/index.ts';
import { showStatus } from '../../../../queries/statuses/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { farPage, pageOfAccount } from './addresses.ts';
import { ask } from './ask.ts';
import type { Answer, Visit } from './visit.ts';

/** The account with a domain that the path names: ours under its short name, others on their server. */
export async function farAccount({ ctx, params }: Visit): Promise<Answer> {
  const { entity } = await ask<Account>(ctx, lookupAccount, { query: { acct: params['name'] ?? '' } });
  if (entity.suspended === true) throw notFound();
  const redirect = entity.acct.includes('@') ? farPage(entity) : pageOfAccount(entity);
  if (redirect === undefined) throw notFound();
  return { redirect };
}

/** A post of an account of another server, on that server. */
export async function farStatus({ ctx, params }: Visit): Promise<Answer> {
  const { entity } = await ask<Status>(ctx, showStatus, { params: { id: params['id'] ?? '' } });
  const { acct } = entity.account;
  if (entity.reblog || !acct.includes('@') || acct.toLowerCase() !== params['name']?.toLowerCase()) {
    throw notFound();
  }
  const redirect = farPage(entity);
  if (redirect === undefined) throw notFound();
  return { redirect };
}
