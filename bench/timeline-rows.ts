import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './client.ts';
import { cpuTimes } from './cpu.ts';
import type { Load, LoadJob } from './load.ts';
import type { Child } from './processes.ts';
import { manyAtOnce, type Seeded } from './seed.ts';
import { type SeededTimelines, seedTimelines, type TimelineSize } from './seed-timelines.ts';
import type { Site } from './site.ts';
import { below, median, type Row } from './table.ts';

export const TIMELINE_ROWS = ['homes', 'public', 'context', 'fan-out'];

export interface TimelineBench {
  size: TimelineSize;
  seconds: number;
  site: Site;
  seeded: Seeded;
  load: Child;
  tokenOf: (accountId: string) => Promise<string>;
  /** Measures a read against the floor; the key names the body that the floor answers with. */
  read: (key: string, name: string, path: string, token: string) => Promise<Row & { ratio: number }>;
}

/** Timelines of readers who follow or mute many, a long thread, and a post to many followers. */
export async function measureTimelines(
  bench: TimelineBench,
  wanted: (key: string) => boolean,
): Promise<Row[]> {
  const seeded = await seedTimelines(bench.site.app, bench.seeded, bench.size);
  const rows: Row[] = [];
  if (wanted('homes')) rows.push(...(await measureHomes(bench, seeded)));
  const token = await bench.tokenOf(seeded.readers.fewFollows.id);
  if (wanted('public'))
    rows.push(await bench.read('public', 'public timeline of 20', '/api/v1/timelines/public', token));
  if (wanted('context')) {
    const path = `/api/v1/statuses/${seeded.threadId}/context`;
    rows.push(await bench.read('context', 'context of 200 answers', path, token));
  }
  if (wanted('fan-out')) rows.push(await measureFanOut(bench, seeded));
  return rows;
}

/**
 * Neither follows nor mutes may matter: a page costs within a fifth of the same. Processor time says so more exactly than
 * throughput does, on a machine that does other things.
 */
async function measureHomes(bench: TimelineBench, { readers }: SeededTimelines): Promise<Row[]> {
  const { follows, mutes } = bench.size;
  const path = '/api/v1/timelines/home';
  const measured = async (name: string, accountId: string) => {
    const token = await bench.tokenOf(accountId);
    const row = await bench.read(`home-${accountId}`, `home, ${name}`, path, token);
    return { row, cpu: () => cpuPerPage(bench.site, `${bench.site.url}${path}`, token) };
  };
  const homes = [
    await measured('200 follows', readers.fewFollows.id),
    await measured(`${follows} follows`, readers.manyFollows.id),
    await measured(`200 follows, ${mutes} mutes`, readers.manyMutes.id),
  ];
  const rounds: number[][] = [];
  for (let round = 0; round < 3; round += 1) {
    const spent: number[] = [];
    for (const { cpu } of homes) spent.push(await cpu());
    rounds.push(spent);
  }
  const [first = NaN, ...others] = homes.map((_, index) =>
    median(rounds.map((spent) => spent[index] ?? NaN)),
  );
  return homes.map(({ row }, index) => {
    const spent = others[index - 1];
    return spent === undefined
      ? row
      : { ...row, targets: [below('times the CPU of that with 200', spent / first, 1.2)] };
  });
}

const PAGES = 200;

/** Milliseconds of processor time that a page costs, of the server and of Postgres. */
async function cpuPerPage({ server, app }: Site, url: string, token: string): Promise<number> {
  const total = async (): Promise<number> =>
    [...(await cpuTimes(server.pid, app.db)).values()].reduce((sum, seconds) => sum + seconds, 0);
  const before = await total();
  await manyAtOnce(PAGES, () => call(url, token), 8);
  return (((await total()) - before) * 1_000) / PAGES;
}

/**
 * Posts to the crowd while another reader reads their home timeline: the milliseconds until the last follower
 * finds the post, and the effect on the other reader's replies.
 */
async function measureFanOut(
  bench: TimelineBench,
  { star, lastFollower, readers }: SeededTimelines,
): Promise<Row> {
  const { site, load, seconds, tokenOf } = bench;
  const home = `${site.url}/api/v1/timelines/home`;
  const traffic: LoadJob = {
    kind: 'read',
    url: home,
    token: await tokenOf(readers.fewFollows.id),
    connections: 4,
    warmupSeconds: 1,
    seconds,
  };
  const [author, follower] = [await tokenOf(star.id), await tokenOf(lastFollower.id)];
  const quiet = await load.ask<Load>(traffic);
  const busy = load.ask<Load>(traffic);
  const arrivals: number[] = [];
  const end = performance.now() + seconds * 1_000;
  await sleep(1_000);
  while (performance.now() < end + 1_000) {
    const started = performance.now();
    const answer = await call(`${site.url}/api/v1/statuses`, author, { status: `To all, ${started}` });
    const { id } = JSON.parse(answer) as { id: string };
    while (!(await call(`${home}?limit=1`, follower)).includes(`"id":"${id}"`)) await sleep(5);
    arrivals.push(performance.now() - started);
    await sleep(200);
  }
  const { p99 } = await busy;
  const slowest = Math.max(...arrivals);
  return {
    name: `post to ${bench.size.crowd} followers, until the last reads it`,
    p50: median(arrivals),
    p99: slowest,
    targets: [below('slowest ms', slowest, 1_000), below("times the others' p99", p99 / quiet.p99, 2)],
  };
}
