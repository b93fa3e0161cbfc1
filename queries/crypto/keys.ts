import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idList } from '#kernel/input.ts';
import { statement } from '#kernel/read.ts';
import type { CryptoDevice } from '#kernel/services/device-messages.ts';
import { profileShownTo } from '../visibility/accounts.ts';
import { deviceOfToken } from './device.ts';
import { cryptoKeyCountSchema, cryptoQueryResultSchema } from './schemas.ts';

const MAX_IDS = 40;
/** The maximum number of devices of an account; older ones are left out. */
const MAX_DEVICES = 50;

const COUNT = statement<{ one_time_keys: number }>(
  'crypto_one_time_keys_count',
  'select count(*)::int as one_time_keys from durable.crypto_one_time_keys where crypto_device_id = $1',
);
const DEVICES = statement<Row>(
  'crypto_devices_of_accounts',
  `select a.id as account_id, d.device_id, d.name, d.identity_key, d.fingerprint_key
   from accounts a
   left join lateral (
     select d.* from durable.crypto_devices d
     join durable.access_tokens t on t.id = d.access_token_id and t.revoked_at is null
     where d.account_id = a.id order by d.id desc limit ${MAX_DEVICES}
   ) d on true
   where a.id = any($1) and ${profileShownTo('$2')}
   order by d.id`,
);

export const countKeys = endpoint({
  method: 'GET',
  path: '/api/v1/crypto/keys/count',
  summary: 'View how many one-time keys the own device has left',
  auth: 'user',
  scopes: ['crypto'],
  reply: cryptoKeyCountSchema,
  errors: [404],
  handler: async ({ db, token }) => {
    const device = await deviceOfToken(db, token.id);
    const [row] = await db.query(COUNT, [device.id]);
    return { json: { one_time_keys: row?.one_time_keys ?? 0 } };
  },
});

/** In the order of the request. Unknown accounts, and accounts that block the caller, are left out. */
export const queryKeys = endpoint({
  method: 'POST',
  path: '/api/v1/crypto/keys/query',
  summary: 'View the devices of accounts',
  auth: 'user',
  scopes: ['crypto'],
  body: z.object({ id: idList(MAX_IDS).describe(`IDs of accounts, of which the first ${MAX_IDS} count.`) }),
  reply: z.array(cryptoQueryResultSchema),
  handler: async (ctx, { body }) => {
    const rows = await ctx.db.query(DEVICES, [body.id, ctx.viewer.account_id]);
    const devices = new Map<string, CryptoDevice[]>(rows.map(({ account_id }) => [account_id, []]));
    for (const { account_id, ...device } of rows) {
      if (device.device_id !== null) devices.get(account_id)?.push(device);
    }
    return {
      json: body.id.flatMap((id) => {
        const found = devices.get(id);
        return found ? { account_id: id, devices: found } : [];
      }),
    };
  },
});

/** An account without a device has one row, with the account's id only. */
type Row = { account_id: string } & (CryptoDevice | { device_id: null });
