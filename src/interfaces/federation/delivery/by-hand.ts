import { type Db, statement } from '#kernel/read.ts';

/** Deliveries that are being sent continue. */
const RETRY = statement(
  'federation_retry_host',
  `with awake as (update durable.federation_hosts set retry_at = null where host = $1)
   update durable.federation_deliveries set due_at = now()
   where host = $1 and due_at > now() and (leased_until is null or leased_until <= now())`,
);
const GIVE_UP = statement(
  'federation_give_up_host',
  `delete from durable.federation_deliveries
   where host = $1 and (leased_until is null or leased_until <= now())`,
);

/** Makes what waits for a host due. */
export async function retryHost(db: Db, host: string): Promise<void> {
  await db.query(RETRY, [host]);
}

/** Removes what waits for a host. */
export async function giveUpHost(db: Db, host: string): Promise<void> {
  await db.query(GIVE_UP, [host]);
}
