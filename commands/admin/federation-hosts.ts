import { operationStream } from '#events/operation.ts';
import type { CommandContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { adminHostSchema } from '#mastodon/schemas/index.ts';
import { adminHost, hostParams, hostReply } from '#queries/admin/federation-hosts.ts';
import { noted } from './operation.ts';

/** Makes what waits for a server due now. @throws RookeryError `not_found`, `invalid` when nothing waits */
export async function retryDeliveries(ctx: CommandContext, host: string): Promise<void> {
  const count = await waiting(ctx, host);
  await noted(ctx, operationStream('host', host), { type: 'DeliveriesRetried', data: { host, count } });
  await ctx.services.deliveries.retryHost(host);
}

/** Removes what waits for a server. @throws RookeryError as `retryDeliveries` */
export async function giveUpDeliveries(ctx: CommandContext, host: string): Promise<void> {
  const count = await waiting(ctx, host);
  await noted(ctx, operationStream('host', host), { type: 'DeliveriesGivenUp', data: { host, count } });
  await ctx.services.deliveries.giveUp(host);
}

async function waiting({ db }: CommandContext, host: string): Promise<number> {
  const { queued } = await adminHost(db, host);
  if (queued === 0) throw invalid(`Validation failed: Nothing waits for ${host}`);
  return queued;
}

/** The queue is no read model. */
const ofOne = {
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'view_devops',
  method: 'POST',
  params: hostParams,
  reads: [],
  reply: adminHostSchema,
} as const;

export const retryHost = endpoint({
  ...ofOne,
  path: '/api/v1/admin/federation/hosts/:host/retry',
  summary: 'Send what waits for a server now, although it may not answer',
  handler: async (ctx, { params: { host } }) => {
    await retryDeliveries(ctx, host);
    return hostReply(ctx.db, host);
  },
});

export const giveUpHost = endpoint({
  ...ofOne,
  path: '/api/v1/admin/federation/hosts/:host/give_up',
  summary: 'Remove what waits for a server; it never gets these activities',
  handler: async (ctx, { params: { host } }) => {
    const before = await adminHost(ctx.db, host);
    await giveUpDeliveries(ctx, host);
    // A server that never answered is unknown once nothing waits for it.
    return hostReply(ctx.db, host).catch(() => ({
      json: { ...before, queued: 0, retrying: 0, deliveries: [] },
    }));
  },
});

export const adminHostCommands = [retryHost, giveUpHost];
