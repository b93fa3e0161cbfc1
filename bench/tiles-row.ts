import { lazyHttpClient } from '#adapters/outbound-http/index.ts';
import { LogSource, monitorLog } from '#operations/transparency-log/monitor/index.ts';
import type { Load, LoadJob } from './load.ts';
import type { Child } from './processes.ts';
import type { Site } from './site.ts';
import { below, median, type Row } from './table.ts';

interface TilesBench {
  site: Site;
  tokens: string[];
  load: Child;
  rounds: number;
  timing: { connections: number; seconds: number; warmupSeconds: number };
  say: (line: string) => void;
}

const LOG = '/.well-known/rookery/log';
const MILLION = 1_000_000;

/** Fills the tiles of the seeded log, reads them, and posts with and without a monitor that reads the whole log again and again. */
export async function measureTiles(bench: TilesBench): Promise<Row[]> {
  const { site, say } = bench;
  const filled = await fill(site);
  say(
    `Tiles of ${filled.events} events: ${filled.seconds.toFixed(1)} s, ${filled.bytes.toFixed(1)} bytes an event`,
  );
  const rows: Row[] = [
    {
      name: `tiles of a million events, seconds (from ${filled.events})`,
      perSecond: filled.events / filled.seconds,
      p50: (filled.seconds / filled.events) * MILLION,
    },
    { name: 'stored bytes an event', bytes: filled.bytes },
    await reads(bench, 'a hash tile', 'tile/0/000'),
    await reads(bench, 'public entries of 256 events', 'entries/000'),
  ];
  return [...rows, await posts(bench)];
}

/** Returns the time in seconds, and the size in the database. */
async function fill({ app }: Site): Promise<{ events: number; seconds: number; bytes: number }> {
  await app.transparencyLog.record();
  await app.db.query('truncate durable.log_tiles');
  const started = performance.now();
  await app.transparencyLog.record();
  const seconds = (performance.now() - started) / 1_000;
  const [row] = await app.db.query<{ events: string; bytes: string }>(
    `select sum(width) as events, pg_total_relation_size('durable.log_tiles') as bytes from durable.log_tiles`,
  );
  const events = Number(row?.events);
  return { events, seconds, bytes: Number(row?.bytes) / events };
}

async function reads({ site, load, timing }: TilesBench, name: string, path: string): Promise<Row> {
  const url = `${site.url}${LOG}/${path}`;
  const { perSecond, p50, p99 } = await load.ask<Load>({ kind: 'read', url, ...timing } satisfies LoadJob);
  return { name, perSecond, p50, p99 };
}

/** The floor is posting without the monitor. */
async function posts({ site, tokens, load, rounds, timing, say }: TilesBench): Promise<Row> {
  const url = `${site.url}/api/v1/statuses`;
  const post = (): Promise<Load> =>
    load.ask<Load>({ kind: 'post', url, tokens, ...timing } satisfies LoadJob);
  const measured: { alone: Load; beside: Load }[] = [];
  await post();
  for (let round = 0; round < rounds; round += 1) {
    const alone = await post();
    const monitor = follow(site.url);
    const beside = await post();
    say(`The monitor read ${await monitor.stop()} events meanwhile`);
    measured.push({ alone, beside });
  }
  const p99 = median(measured.map(({ beside }) => beside.p99));
  const floorP99 = median(measured.map(({ alone }) => alone.p99));
  return {
    name: 'post a status while a monitor reads the log',
    perSecond: median(measured.map(({ beside }) => beside.perSecond)),
    floor: median(measured.map(({ alone }) => alone.perSecond)),
    p50: median(measured.map(({ beside }) => beside.p50)),
    p99,
    floorP99,
    ratio: median(measured.map(({ alone, beside }) => beside.perSecond / alone.perSecond)),
    targets: [below('p99 of posting', p99, 2 * floorP99)],
  };
}

/** Reads the whole log of a server again and again. */
function follow(url: string): { stop: () => Promise<number> } {
  const http = lazyHttpClient({ allowedPrivateAddresses: [], userAgent: 'bench', permits: () => true });
  let isStopping = false;
  let events = 0;
  const reading = (async () => {
    while (!isStopping) {
      const source = new LogSource(http, url);
      events += (await monitorLog(source, { folder: undefined, key: undefined, all: true })).size;
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await reading;
      await http.close();
      return events;
    },
  };
}
