import { statement, type Db } from '../../src/kernel/read.ts';

/** The state of deliveries to a server. Times are ISO 8601. */
export interface HostDeliveries {
  host: string;
  /** Waiting, or being sent. */
  queued: number;
  delivered: string;
  refused: string;
  /** Failed attempts; most deliveries are retried. */
  failed: string;
  last_success_at: string | null;
  last_failure_at: string | null;
  last_failure: string | null;
  /** The time since which it does not respond. */
  down_since: string | null;
  /** The time of the next attempt. */
  retry_at: string | null;
}

const MAX_HOSTS = 1_000;

const BY_HOST = statement(
  'federation_deliveries_by_host',
  `select coalesce(h.host, q.host) as host, coalesce(q.queued, 0)::int as queued, coalesce(h.delivered, 0) as delivered,
     coalesce(h.refused, 0) as refused, coalesce(h.failed, 0) as failed, h.last_success_at, h.last_failure_at,
     h.last_failure, h.down_since, h.retry_at
   from durable.federation_hosts h
   full join (select host, count(*) as queued from durable.federation_deliveries group by host) q on q.host = h.host
   order by coalesce(q.queued, 0) desc, coalesce(h.host, q.host) limit ${MAX_HOSTS}`,
);
const FIGURES = statement(
  'federation_delivery_figures',
  `select (select count(*) from durable.federation_deliveries)::int as queued,
     (select count(*) from durable.federation_hosts where failures > 0)::int as hosts_down`,
);

/** Returns the servers that ever got a delivery, at most a thousand, the longest queue first. */
export const deliveriesByHost = (db: Db): Promise<HostDeliveries[]> => db.query<HostDeliveries>(BY_HOST);

/** Returns the number of waiting deliveries, and of unreachable servers. */
export async function deliveryFigures(db: Db): Promise<{ queued: number; hosts_down: number }> {
  const [row] = await db.query<{ queued: number; hosts_down: number }>(FIGURES);
  return row ?? { queued: 0, hosts_down: 0 };
}
