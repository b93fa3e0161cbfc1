import { notFound } from '#kernel/errors.ts';
import { lookupAccount } from '#queries/accounts/index.ts';
import { showStatus } from '#queries/statuses/index.ts';
import { farPage, pageOfAccount } from '../entities/addresses.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import type { PageRequest, PageResponse } from './page-request.ts';

/**
 * Redirects from a handle with a domain: to the short address of a local account, or to a remote account's
 * server.
 */
export async function redirectToRemoteAccount({ ctx, params }: PageRequest): Promise<PageResponse> {
  const { entity } = await callEndpoint(ctx, lookupAccount, { query: { acct: params['name'] ?? '' } });
  if (entity.suspended === true) throw notFound();
  const redirect = entity.acct.includes('@') ? farPage(entity) : pageOfAccount(entity);
  if (redirect === undefined) throw notFound();
  return { redirect };
}

/** Redirects to a remote post on its server. */
export async function redirectToRemoteStatus({ ctx, params }: PageRequest): Promise<PageResponse> {
  const { entity } = await callEndpoint(ctx, showStatus, { params: { id: params['id'] ?? '' } });
  const { acct } = entity.account;
  if (entity.reblog || !acct.includes('@') || acct.toLowerCase() !== params['name']?.toLowerCase()) {
    throw notFound();
  }
  const redirect = farPage(entity);
  if (redirect === undefined) throw notFound();
  return { redirect };
}
