import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { formArray, idParam } from '#kernel/input.ts';
import {
  cryptoClaimResultSchema,
  cryptoDeviceSchema,
  deviceOfToken,
  reachableFrom,
} from '#queries/crypto/index.ts';
import { checkDevice, checkOneTimeKeys } from './signatures.ts';

const name = z.string().min(1).max(255);
const key = z.string().max(100);
const publicKey = key.describe('The public Curve25519 key, in base64.');

/** The device belongs to the token; once it exists, keys may come alone. */
export const uploadKeys = endpoint({
  method: 'POST',
  path: '/api/v1/crypto/keys/upload',
  summary: 'Register the own device, or give it more one-time keys',
  auth: 'user',
  scopes: ['crypto'],
  body: z.object({
    device: z
      .object({
        device_id: name.describe(
          'The identifier that the app gave to the device, of at most 255 characters.',
        ),
        name: name.describe('The name by which users recognize the device.'),
        identity_key: key.describe('The Curve25519 identity key of the device, in base64.'),
        fingerprint_key: key.describe('The Ed25519 key that signs the keys of the device, in base64.'),
      })
      .nullish()
      .describe('The device of this token, which may be absent once it is registered.'),
    one_time_keys: formArray(
      z.object({
        key_id: name.describe('The identifier of the key, unique for the device; a known one is replaced.'),
        key: publicKey,
        signature: key.describe('The signature of the key by the fingerprint key, in base64.'),
      }),
      100,
    )
      .nullish()
      .describe('Further one-time keys of the device, at most 100 at a time.'),
  }),
  reply: cryptoDeviceSchema,
  errors: [404],
  handler: async (ctx, { body }) => {
    const { device, one_time_keys: keys } = body;
    if (device) checkDevice(device);
    const { fingerprint_key } = device ?? (await deviceOfToken(ctx.db, ctx.token.id));
    checkOneTimeKeys(keys ?? [], fingerprint_key);
    const owner = { tokenId: ctx.token.id, accountId: ctx.viewer.account_id };
    return { json: await ctx.services.deviceMessages.upload(owner, device ?? undefined, keys ?? []) };
  },
});

/**
 * Omits unknown devices, and those of accounts that block the caller, so that their keys cannot be used up.
 */
export const claimKeys = endpoint({
  method: 'POST',
  path: '/api/v1/crypto/keys/claim',
  summary: 'Take a one-time key of each of some devices',
  auth: 'user',
  scopes: ['crypto'],
  body: z.object({
    device: formArray(
      z.object({
        account_id: idParam.describe('The ID of the account that the device belongs to.'),
        device_id: name.describe('The identifier of the device.'),
      }),
      100,
    )
      .default([])
      .describe('The devices of which a one-time key each is taken, at most 100.'),
  }),
  reply: z.array(cryptoClaimResultSchema),
  handler: async (ctx, { body }) => {
    const named = new Map(body.device.map((device) => [`${device.account_id} ${device.device_id}`, device]));
    const accounts = [...new Set(body.device.map(({ account_id }) => account_id))];
    const reachable = await reachableFrom(ctx.db, ctx.viewer.account_id, accounts);
    const claimed = await ctx.services.deviceMessages.claim(
      [...named.values()].filter(({ account_id }) => reachable.has(account_id)),
    );
    const found = new Map(claimed.map((each) => [`${each.account_id} ${each.device_id}`, each]));
    return { json: [...named.keys()].flatMap((each) => found.get(each) ?? []) };
  },
});
