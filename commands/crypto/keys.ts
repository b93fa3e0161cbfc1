import { z } from 'zod';
import {
  cryptoClaimResultSchema,
  cryptoDeviceSchema,
  deviceOfToken,
  reachableFrom,
} from '../../queries/crypto/index.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { formArray, idParam } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { checkDevice, checkOneTimeKeys } from './signatures.ts';

const name = z.string().min(1).max(255);
const key = z.string().max(100);

/** The device belongs to the token; keys may come alone once it is there. */
export const uploadKeys = endpoint({
  method: 'POST',
  path: '/api/v1/crypto/keys/upload',
  summary: 'Register the own device, or give it more one-time keys',
  auth: 'user',
  scopes: ['crypto'],
  body: z.object({
    device: z.object({ device_id: name, name, identity_key: key, fingerprint_key: key }).nullish(),
    one_time_keys: formArray(z.object({ key_id: name, key, signature: key }), 100).nullish(),
  }),
  reply: cryptoDeviceSchema,
  handler: async (ctx, { body }) => {
    const { device, one_time_keys: keys } = body;
    if (device) checkDevice(device);
    const { fingerprint_key } = device ?? (await deviceOfToken(ctx.db, ctx.token.id));
    checkOneTimeKeys(keys ?? [], fingerprint_key);
    const owner = { tokenId: ctx.token.id, accountId: ctx.viewer.account_id };
    return { json: await ctx.services.encryptedMail.upload(owner, device ?? undefined, keys ?? []) };
  },
});

/** What is unknown is left out, and so are those who block the caller: he cannot use up their keys. */
export const claimKeys = endpoint({
  method: 'POST',
  path: '/api/v1/crypto/keys/claim',
  summary: 'Take a one-time key of each of some devices',
  auth: 'user',
  scopes: ['crypto'],
  body: z.object({ device: formArray(z.object({ account_id: idParam, device_id: name }), 100).default([]) }),
  reply: z.array(cryptoClaimResultSchema),
  handler: async (ctx, { body }) => {
    await ctx.settle([MAIN]);
    const named = new Map(body.device.map((device) => [`${device.account_id} ${device.device_id}`, device]));
    const accounts = [...new Set(body.device.map(({ account_id }) => account_id))];
    const reachable = await reachableFrom(ctx.db, ctx.viewer.account_id, accounts);
    const claimed = await ctx.services.encryptedMail.claim(
      [...named.values()].filter(({ account_id }) => reachable.has(account_id)),
    );
    const found = new Map(claimed.map((each) => [`${each.account_id} ${each.device_id}`, each]));
    return { json: [...named.keys()].flatMap((each) => found.get(each) ?? []) };
  },
});
