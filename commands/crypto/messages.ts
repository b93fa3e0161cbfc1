import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { formArray, formInteger, idParam } from '#kernel/input.ts';
import { reachableFrom } from '#queries/crypto/index.ts';

const message = z.object({
  account_id: idParam.describe('The ID of the recipient.'),
  device_id: z.string().max(255).describe('The identifier of the device of the recipient.'),
  type: formInteger(0, 1_000)
    .transform((type) => type ?? 0)
    .describe(
      'The type of the message in the encryption protocol, which the server only hands on; 0 by default.',
    ),
  body: z.string().min(1).max(65_536).describe('The encrypted message, of at most 65,536 characters.'),
  hmac: z
    .string()
    .max(1_000)
    .default('')
    .describe('The digest of the message, by which a report of it can be verified.'),
});

/** Delivers to all devices or none; never to an account that blocks the sender. */
export const deliverMessages = endpoint({
  method: 'POST',
  path: '/api/v1/crypto/deliveries',
  summary: 'Send encrypted messages to devices',
  auth: 'user',
  scopes: ['crypto'],
  body: z.object({
    device: formArray(message, 100)
      .default([])
      .describe('The messages, one for each device, at most 100; all of them are delivered or none.'),
  }),
  requires: ['device'],
  longTexts: true,
  reply: z.object({}),
  errors: [404],
  handler: async (ctx, { body }) => {
    if (body.device.length === 0) throw invalid('`device` parameter is missing');
    const accounts = new Set(body.device.map(({ account_id }) => account_id));
    const reachable = await reachableFrom(ctx.db, ctx.viewer.account_id, [...accounts]);
    if (reachable.size < accounts.size) throw notFound();
    const sender = { tokenId: ctx.token.id, accountId: ctx.viewer.account_id, now: ctx.now };
    await ctx.services.deviceMessages.deliver(sender, body.device);
    return { json: {} };
  },
});

export const clearMessages = endpoint({
  method: 'POST',
  path: '/api/v1/crypto/encrypted_messages/clear',
  summary: 'Remove the messages of the own device up to one of them',
  auth: 'user',
  scopes: ['crypto'],
  body: z.object({
    up_to_id: idParam.describe(
      'The ID of the newest message to remove; all older ones of the device go with it.',
    ),
  }),
  reply: z.object({}),
  errors: [404],
  handler: async (ctx, { body }) => {
    await ctx.services.deviceMessages.clear(ctx.token.id, body.up_to_id);
    return { json: {} };
  },
});
