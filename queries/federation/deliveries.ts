import { type Db, statement } from '#kernel/read.ts';
import { DOWN_AFTER } from '#kernel/services/federation.ts';

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

const BY_HOST = statement<HostDeliveries>(
  'federation_deliveries_by_host',
  `select coalesce(h.host, q.host) as host, coalesce(q.queued, 0)::int as queued, coalesce(h.delivered, 0) as delivered,
     coalesce(h.refused, 0) as refused, coalesce(h.failed, 0) as failed, h.last_success_at, h.last_failure_at,
     h.last_failure, h.down_since, h.retry_at
   from durable.federation_hosts h
   full join (select host, count(*) as queued from durable.federation_deliveries group by host) q on q.host = h.host
   order by coalesce(q.queued, 0) desc, coalesce(h.host, q.host) limit ${MAX_HOSTS}`,
);
const FIGURES = statement<{ queued: number; hosts_down: number }>(
  'federation_delivery_figures',
  `select (select count(*) from durable.federation_deliveries)::int as queued,
     (select count(*) from durable.federation_hosts where failures > 0)::int as hosts_down`,
);

/** Seconds after which a first attempt is late, to a server that is up. */
export const LATE = 300;
/** Servers without any attempt in a week do not count. */
const STATE = statement<DeliveryState>(
  'federation_delivery_state',
  `select count(*) filter (where h.recent)::int as servers, count(*) filter (where h.recent and h.down)::int as down,
     coalesce(sum(q.queued), 0)::int as queued, coalesce(sum(q.queued) filter (where h.down), 0)::int as queued_for_down,
     coalesce(sum(q.late) filter (where h.down is not true), 0)::int as late
   from (
     select host, failures >= ${DOWN_AFTER} as down,
       greatest(last_success_at, last_failure_at) > now() - interval '7 days' as recent
     from durable.federation_hosts
   ) h
   full join (
     select host, count(*) as queued,
       count(*) filter (where attempts = 0 and due_at < now() - interval '${LATE} seconds') as late
     from durable.federation_deliveries group by host
   ) q on q.host = h.host`,
);

/** Deliveries in numbers. */
export interface DeliveryState {
  /** Servers of the last week, and those of them that are down. */
  servers: number;
  down: number;
  /** Waiting deliveries, in all, to servers that are down, and first attempts to others that should have been made. */
  queued: number;
  queued_for_down: number;
  late: number;
}

/** Returns the servers that ever got a delivery, at most a thousand, the longest queue first. */
export const deliveriesByHost = (db: Db): Promise<HostDeliveries[]> => db.query(BY_HOST);

/** Returns the number of waiting deliveries, and of unreachable servers. */
export async function deliveryFigures(db: Db): Promise<{ queued: number; hosts_down: number }> {
  const [row] = await db.query(FIGURES);
  return row ?? { queued: 0, hosts_down: 0 };
}

/** Returns the numbers from which the state of deliveries is judged. */
export async function deliveryState(db: Db): Promise<DeliveryState> {
  const [row] = await db.query(STATE);
  return row ?? { servers: 0, down: 0, queued: 0, queued_for_down: 0, late: 0 };
}
