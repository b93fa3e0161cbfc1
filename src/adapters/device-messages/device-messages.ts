import { invalid, notFound } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import type {
  ClaimedKey,
  CryptoDevice,
  DeviceMessages,
  OneTimeKey,
} from '#kernel/services/device-messages.ts';
import type { Database } from '#storage/postgres/db.ts';
import { LOCKS } from '#storage/postgres/locks.ts';
import { DELIVERIES_CHANNEL } from './deliveries.ts';
import type { Franking } from './franking.ts';

/** Limits of one device, which bound the storage that a stranger can use. */
const MAX_ONE_TIME_KEYS = 200;
const MAX_MESSAGES = 500;

/** Serializes uploads of one account, so that its devices stay distinct. */
const LOCK_ACCOUNT = statement(
  'crypto_lock_account',
  `select pg_advisory_xact_lock(${LOCKS.encryptedMail}, hashint8($1::bigint))`,
);
/** When a user signs in again with the same app, the device of the earlier token becomes this one. */
const DELETE_SAME = statement(
  'crypto_device_delete_same',
  'delete from durable.crypto_devices where account_id = $1 and device_id = $2 and access_token_id <> $3',
);
/** Other keys make it another device, which gets none of the waiting messages. */
const DELETE_CHANGED = statement(
  'crypto_device_delete_changed',
  `delete from durable.crypto_devices
   where access_token_id = $1 and (device_id, identity_key, fingerprint_key) is distinct from ($2, $3, $4)`,
);
const UPSERT = statement(
  'crypto_device_upsert',
  `insert into durable.crypto_devices (access_token_id, account_id, device_id, name, identity_key, fingerprint_key)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (access_token_id) do update set name = excluded.name`,
);
const FIND = statement<CryptoDevice & { id: string }>(
  'crypto_device_find',
  `select id, device_id, name, identity_key, fingerprint_key from durable.crypto_devices
   where access_token_id = $1 for no key update`,
);
const ADD_KEYS = statement(
  'crypto_one_time_keys_add',
  `insert into durable.crypto_one_time_keys (crypto_device_id, key_id, key, signature)
   select $1, * from unnest($2::text[], $3::text[], $4::text[])
   on conflict (crypto_device_id, key_id) do update set key = excluded.key, signature = excluded.signature`,
);
const COUNT_KEYS = statement<{ count: number }>(
  'crypto_one_time_keys_count_all',
  'select count(*)::int as count from durable.crypto_one_time_keys where crypto_device_id = $1',
);
/**
 * The oldest key of each device. Keys that another claim is taking are skipped, so no key is given out twice.
 */
const CLAIM = statement<ClaimedKey>(
  'crypto_one_time_keys_claim',
  `with wanted as (
     select d.id, d.account_id, d.device_id
     from unnest($1::bigint[], $2::text[]) as w (account_id, device_id)
     join durable.crypto_devices d on d.account_id = w.account_id and d.device_id = w.device_id
     join durable.access_tokens t on t.id = d.access_token_id and t.revoked_at is null
     join accounts a on a.id = d.account_id and not a.suspended
   ), oldest as (
     select k.id, wanted.account_id, wanted.device_id from wanted cross join lateral (
       select id from durable.crypto_one_time_keys
       where crypto_device_id = wanted.id order by id limit 1 for update skip locked
     ) k
   )
   delete from durable.crypto_one_time_keys k using oldest o where k.id = o.id
   returning o.account_id, o.device_id, k.key_id, k.key, k.signature`,
);
/**
 * In a fixed order, so that two deliveries do not deadlock. The lock also puts messages into the order of
 * their ids.
 */
const LOCK_TARGETS = statement<{ id: string; account_id: string; device_id: string }>(
  'crypto_devices_lock',
  `select d.id, d.account_id, d.device_id
   from unnest($1::bigint[], $2::text[]) as w (account_id, device_id)
   join durable.crypto_devices d on d.account_id = w.account_id and d.device_id = w.device_id
   join durable.access_tokens t on t.id = d.access_token_id and t.revoked_at is null
   join accounts a on a.id = d.account_id and not a.suspended
   order by d.id for no key update of d`,
);
/** A separate statement, which sees messages that were delivered while it waited for the lock. */
const COUNT_WAITING = statement<{ most: number | null }>(
  'crypto_messages_waiting',
  `select max(count)::int as most from (
     select count(*) + (select count(*) from unnest($1::bigint[]) as n (id) where n.id = m.crypto_device_id) as count
     from durable.crypto_messages m where m.crypto_device_id = any($1) group by m.crypto_device_id
   ) waiting`,
);
/** Streaming processes are notified when the transaction commits. */
const ADD_MESSAGES = statement(
  'crypto_messages_add',
  `with added as (
     insert into durable.crypto_messages
       (crypto_device_id, from_account_id, from_device_id, type, body, digest, message_franking, created_at)
     select crypto_device_id, $2, $3, type, body, digest, message_franking, $4
     from unnest($1::bigint[], $5::int[], $6::text[], $7::text[], $8::text[])
       as m (crypto_device_id, type, body, digest, message_franking)
     returning id
   )
   select pg_notify('${DELIVERIES_CHANNEL}', string_agg(id::text, ' ' order by id)) from added`,
);
const CLEAR = statement(
  'crypto_messages_clear',
  'delete from durable.crypto_messages where crypto_device_id = $1 and id <= $2',
);

/** Devices, one-time keys and messages in Postgres (see the migration for why not in the log). */
export function createDeviceMessages(db: Database, seal: (facts: Franking) => string): DeviceMessages {
  return {
    upload: ({ tokenId, accountId }, device, keys) =>
      db.transaction(async (transaction) => {
        await transaction.query(LOCK_ACCOUNT, [accountId]);
        if (device) await store(transaction, { tokenId, accountId }, device);
        const { id, ...stored } = await deviceOf(transaction, tokenId);
        if (keys.length > 0) await addKeys(transaction, id, keys);
        return stored;
      }),

    claim: (devices) =>
      db.query(CLAIM, [
        devices.map(({ account_id }) => account_id),
        devices.map(({ device_id }) => device_id),
      ]),

    deliver: ({ tokenId, accountId, now }, messages) =>
      db.transaction(async (transaction) => {
        const source = await deviceOf(transaction, tokenId);
        const targets = await lockTargets(transaction, messages);
        const ids = messages.map((message) => targets.get(nameOf(message)));
        const [waiting] = await transaction.query(COUNT_WAITING, [ids]);
        if ((waiting?.most ?? 0) > MAX_MESSAGES)
          throw invalid('Validation failed: Device has too many messages');
        await transaction.query(ADD_MESSAGES, [
          ids,
          accountId,
          source.device_id,
          now,
          messages.map(({ type }) => type),
          messages.map(({ body }) => body),
          messages.map(({ hmac }) => hmac),
          messages.map(({ account_id, hmac }) =>
            seal({ source_account_id: accountId, target_account_id: account_id, hmac, timestamp: now }),
          ),
        ]);
      }),

    async clear(tokenId, upToId) {
      const { id } = await deviceOf(db, tokenId);
      await db.query(CLEAR, [id, upToId]);
    },
  };
}

async function store(
  db: Db,
  { tokenId, accountId }: { tokenId: string; accountId: string },
  { device_id, name, identity_key, fingerprint_key }: CryptoDevice,
): Promise<void> {
  await db.query(DELETE_SAME, [accountId, device_id, tokenId]);
  await db.query(DELETE_CHANGED, [tokenId, device_id, identity_key, fingerprint_key]);
  await db.query(UPSERT, [tokenId, accountId, device_id, name, identity_key, fingerprint_key]);
}

async function deviceOf(db: Db, tokenId: string): Promise<CryptoDevice & { id: string }> {
  const [device] = await db.query(FIND, [tokenId]);
  if (!device) throw notFound();
  return device;
}

async function addKeys(db: Db, deviceId: string, keys: readonly OneTimeKey[]): Promise<void> {
  const distinct = [...new Map(keys.map((key) => [key.key_id, key])).values()];
  await db.query(ADD_KEYS, [
    deviceId,
    distinct.map(({ key_id }) => key_id),
    distinct.map(({ key }) => key),
    distinct.map(({ signature }) => signature),
  ]);
  const [row] = await db.query(COUNT_KEYS, [deviceId]);
  if (row && row.count > MAX_ONE_TIME_KEYS) {
    throw invalid(`Validation failed: One time keys are too many (maximum is ${MAX_ONE_TIME_KEYS})`);
  }
}

const nameOf = ({ account_id, device_id }: { account_id: string; device_id: string }): string =>
  `${account_id} ${device_id}`;

/** Returns the devices by `nameOf`. All messages are delivered or none. */
async function lockTargets(
  db: Db,
  messages: readonly { account_id: string; device_id: string }[],
): Promise<Map<string, string>> {
  const wanted = new Map(messages.map((message) => [nameOf(message), message]));
  const found = await db.query(LOCK_TARGETS, [
    [...wanted.values()].map(({ account_id }) => account_id),
    [...wanted.values()].map(({ device_id }) => device_id),
  ]);
  if (found.length < wanted.size) throw notFound();
  return new Map(found.map((device) => [nameOf(device), device.id]));
}
