import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { LogWitness } from '#kernel/services/transparency-log.ts';
import { lagsBehind } from '#storage/eventlog/lag.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { damageIn, damageText } from '#storage/postgres/damaged-events.ts';
import { roomIn } from '../disk.ts';
import type { Facts, FailingHost } from './findings.ts';

export interface FactSources {
  db: Db;
  log: Pick<EventLog, 'head' | 'readAll'>;
  projections: readonly Projection[];
  /** The folder of files. */
  folder: string;
  witness: Pick<LogWitness, 'openForks'>;
}

const MODELS = statement<Model>(
  'alerts_read_models',
  'select name, version, "group", position, failure ->> \'error\' as error from durable.projections',
);
const CHECKPOINT = statement<{ position: string }>(
  'alerts_checkpoint',
  'select coalesce(max(position), 0) as position from durable.log_checkpoints where divergence is null',
);
const HOSTS = statement<FailingHost>(
  'alerts_hosts',
  `select h.host, coalesce(q.queued, 0)::int as queued, h.delivered::float8 as delivered, h.last_failure,
     extract(epoch from $1::timestamptz - h.down_since)::float8 as seconds
   from durable.federation_hosts h
   left join (select host, count(*) as queued from durable.federation_deliveries group by host) q on q.host = h.host
   where h.down_since is not null order by h.host limit 1000`,
);

interface Model {
  name: string;
  version: number;
  group: string;
  position: string;
  error: string | null;
}

/**
 * Collects what the alerts are about; `now` is ISO 8601. After a pause of the server everything has waited for long, so
 * only the `watched` seconds count.
 */
export async function factsAt(
  now: string,
  watched: number,
  { db, log, projections, folder, witness }: FactSources,
): Promise<Facts> {
  const [rows, [checkpoint], hosts, disk, damage, forks] = await Promise.all([
    db.query(MODELS),
    db.query(CHECKPOINT),
    db.query(HOSTS, [now]),
    roomIn(folder),
    damageIn(db, 3),
    witness.openForks(),
  ]);
  const models = rows.filter((row) =>
    projections.some(({ name, version }) => name === row.name && version === row.version),
  );
  const following = models.filter(({ error }) => error === null);
  const positions = [checkpoint, ...following].map((each) => BigInt(each?.position ?? 0));
  const [covered, ...lags] = await lagsBehind(log, positions, Date.parse(now));
  const within = (seconds = 0): number => Math.min(seconds, watched);
  const groups = new Map<string, number>();
  following.forEach(({ group }, index) => {
    groups.set(group, Math.max(groups.get(group) ?? 0, within(lags[index]?.seconds)));
  });
  return {
    groups: [...groups].map(([group, seconds]) => ({ group, seconds })),
    halted: models.flatMap(({ name, error }) => (error === null ? [] : [{ name, error }])),
    checkpoint: { seconds: within(covered?.seconds) },
    damage: damageText(damage),
    forks,
    disk,
    folder,
    hosts,
  };
}
