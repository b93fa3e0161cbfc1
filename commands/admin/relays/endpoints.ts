import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { adminRelaySchema } from '#mastodon/schemas/index.ts';
import { relayOf } from '#queries/admin/relays.ts';
import { addRelay, disableRelay, enableRelay, removeRelay } from './change.ts';

/**
 * Mastodon manages relays on web pages and has no API. The scopes are those of the domains that this server
 * federates with.
 */
const staff = {
  auth: 'user',
  scopes: ['admin:write:domain_allows'],
  permission: 'manage_federation',
} as const;

export const createRelay = endpoint({
  ...staff,
  method: 'POST',
  path: '/api/v1/admin/relays',
  summary: 'Add a relay and subscribe to it',
  body: z.object({
    inbox_url: z.string().max(4_096).nullish().describe('The address of the inbox of the relay.'),
    actor_url: z
      .string()
      .max(4_096)
      .nullish()
      .describe(
        "The relay's actor, for relays of LitePub's form, which are followed by this actor; absent for relays of Mastodon's form.",
      ),
  }),
  requires: ['inbox_url'],
  reply: adminRelaySchema,
  handler: async (ctx, { body }) => {
    const actorUrl = body.actor_url ?? '';
    const id = ctx.newId();
    await addRelay(ctx, { id, inboxUrl: body.inbox_url ?? '', actorUrl: actorUrl === '' ? null : actorUrl });
    return { json: await relayOf(ctx.db, id) };
  },
});

const ofOne = { ...staff, method: 'POST', params: idParams, reply: adminRelaySchema } as const;

export const enable = endpoint({
  ...ofOne,
  path: '/api/v1/admin/relays/:id/enable',
  summary: 'Subscribe to a relay, or ask it once more',
  handler: async (ctx, { params: { id } }) => {
    await enableRelay(ctx, id);
    return { json: await relayOf(ctx.db, id) };
  },
});

export const disable = endpoint({
  ...ofOne,
  path: '/api/v1/admin/relays/:id/disable',
  summary: 'End the subscription to a relay',
  handler: async (ctx, { params: { id } }) => {
    await disableRelay(ctx, id);
    return { json: await relayOf(ctx.db, id) };
  },
});

export const deleteRelay = endpoint({
  ...staff,
  method: 'DELETE',
  path: '/api/v1/admin/relays/:id',
  summary: 'End the subscription to a relay and remove it',
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params: { id } }) => {
    await removeRelay(ctx, id);
    return { json: {} };
  },
});
