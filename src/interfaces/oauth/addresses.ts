import { LRUCache } from 'lru-cache';
import { Batcher } from '#kernel/batcher.ts';
import { atMost } from '#kernel/lru.ts';
import { type Db, statement } from '#kernel/read.ts';

/**
 * The maximum number of rows of one account, and of new addresses within an hour: changing addresses cannot
 * fill the table.
 */
const KEPT = 100;
const PER_HOUR = 20;
const HOUR = 3_600_000;

/** In one order, so that two processes do not wait for each other's rows. */
const NOTE = statement(
  'account_addresses_note',
  `with noted as (
     insert into durable.account_addresses (account_id, ip, used_at)
     select distinct account_id, ip, now() from unnest($1::bigint[], $2::text[]) as n (account_id, ip)
     order by account_id, ip
     on conflict (account_id, ip) do update set used_at = excluded.used_at
   )
   delete from durable.account_addresses d using (select distinct unnest($1::bigint[]) as account_id) n
   where d.account_id = n.account_id and d.used_at < (
     select k.used_at from durable.account_addresses k where k.account_id = n.account_id
     order by k.used_at desc offset ${KEPT - 1} limit 1)`,
);
const FORGET = statement(
  'account_addresses_forget',
  `delete from durable.account_addresses where used_at < now() - interval '1 year'`,
);

/** The IP addresses of users, for staff: https://docs.joinmastodon.org/entities/Admin_Ip/ */
export interface AddressBook {
  /**
   * Records that a user was active, in the background: once an hour for each address, together with others.
   */
  note: (accountId: string, ip: string) => void;
}

/**
 * Stores addresses in a durable table. They are personal, so they are not in the log, and are kept for a year
 * at most, as in Mastodon.
 */
export function createAddressBook(db: Db, onError: (error: unknown) => void): AddressBook {
  const noted = new LRUCache<string, { hour: number; ips: string[] }>(atMost(100_000));
  const writes = new Batcher<{ accountId: string; ip: string }, never>(
    async (rows) => {
      await db.query(NOTE, [rows.map(({ accountId }) => accountId), rows.map(({ ip }) => ip)]);
      return [];
    },
    { maxConcurrent: 1 },
  );

  return {
    note(accountId, ip) {
      const hour = Math.floor(Date.now() / HOUR);
      const known = noted.get(accountId);
      if (known?.hour === hour) {
        if (known.ips.includes(ip) || known.ips.length >= PER_HOUR) return;
        known.ips.push(ip);
      } else noted.set(accountId, { hour, ips: [ip] });
      writes.get({ accountId, ip }).catch((error: unknown) => {
        noted.delete(accountId);
        onError(error);
      });
    },
  };
}

/** Deletes addresses that were unused for a year. */
export async function forgetOldAddresses(db: Db): Promise<void> {
  await db.query(FORGET);
}
