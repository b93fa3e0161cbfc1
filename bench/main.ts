import { parseArgs } from 'node:util';
import { onEndSignals } from '#app/end-signals.ts';
import { benchAgainst } from './against.ts';
import { call, expectAtHomeAtOnce, expectReadable } from './client.ts';
import { cpuPerItem, cpuTimes } from './cpu.ts';
import { measureEngines } from './eventstoredb.ts';
import { filteredPage } from './filter-row.ts';
import { measureHistory } from './history.ts';
import { HOSTILE_SETTINGS, measureHostile, renderHostile } from './hostile.ts';
import type { Load, LoadJob } from './load.ts';
import { appendRate } from './log-rows.ts';
import { startSilentNameServer } from './name-server.ts';
import type { PictureJob } from './pictures.ts';
import { type Child, residentMegabytes, startChild } from './processes.ts';
import type { RebuildRate } from './rebuild.ts';
import { measureRebuilds, REBUILD_ROWS, type RebuildSizes } from './rebuild-rows.ts';
import { relationshipsPath } from './relationships-row.ts';
import { seed, type Seeded, type SeedSize, untilCaughtUp } from './seed.ts';
import type { TimelineSize } from './seed-timelines.ts';
import { tokensFor } from './signed-in.ts';
import { cleanUp, openSite, type Site } from './site.ts';
import { atLeast, below, median, renderTable, type Row } from './table.ts';
import { measureTiles } from './tiles-row.ts';
import { measureTimelines, TIMELINE_ROWS } from './timeline-rows.ts';
import { measureWebHome } from './web-home.ts';

const HELP = `npm run bench -- [--quick] [--only=home,status,credentials,relationships,notifications,groups,web-home,filters,homes,public,context,fan-out,post,tiles,media,rebuild,append,rebuild-mix,rebuild-behind,rebuild-grow] [--only=history] [--only=eventstoredb] [--only=hostile[:NAME]] [--rounds=N] [--cpu-prof=FOLDER] [--against=REVISION [--pairs=N]]

Starts a server of its own, fills it, measures it and prints a table. Takes some minutes; --quick takes one.
--only=history measures replays and the transparency report on a log of a million events.
--only=eventstoredb compares a log in EventStoreDB with one in PostgreSQL; EVENTSTORE_URL names a server without events, otherwise it is a double.
--only=hostile measures other users beside each attack, with the default rate limits; hostile:NAME only attacks so named.
--cpu-prof writes a profile of the server.
--against runs the rows of another revision and of this working tree in turns, and prints the ratio of each row, this tree / revision.
`;

interface Plan {
  size: SeedSize;
  timelines: TimelineSize;
  rebuilds: RebuildSizes;
  /** Events of the log whose moderation is replayed. */
  history: number;
  rounds: number;
  warmupSeconds: number;
  seconds: number;
}

const CONNECTIONS = 32;
const FULL: Plan = {
  size: { accounts: 1_000, follows: 200, statuses: 50_000 },
  timelines: { crowd: 10_000, follows: 2_000, mutes: 5_000 },
  rebuilds: { mix: 100_000, grow: 1_600_000, behind: 40_000 },
  history: 1_000_000,
  rounds: 3,
  warmupSeconds: 1,
  seconds: 4,
};
const QUICK: Plan = {
  size: { accounts: 250, follows: 200, statuses: 4_000 },
  timelines: { crowd: 2_000, follows: 1_000, mutes: 2_000 },
  rebuilds: { mix: 20_000, grow: 100_000, behind: 8_000 },
  history: 50_000,
  rounds: 1,
  warmupSeconds: 1,
  seconds: 2,
};

/** The rows that are read over HTTP, with their targets. */
const READS = [
  { key: 'home', name: 'home timeline of 20', path: () => '/api/v1/timelines/home', ratio: 0.3, p99: 25 },
  {
    key: 'status',
    name: 'one status',
    path: ({ statusId }: Seeded) => `/api/v1/statuses/${statusId}`,
    ratio: 0.2,
  },
  {
    key: 'credentials',
    name: 'verify_credentials',
    path: () => '/api/v1/accounts/verify_credentials',
    ratio: 0.2,
  },
  { key: 'relationships', name: 'relationships of 40', path: relationshipsPath, ratio: 0.2 },
  { key: 'notifications', name: 'notifications, 40', path: () => '/api/v1/notifications', ratio: 0.2 },
  { key: 'groups', name: 'grouped notifications, 40', path: () => '/api/v2/notifications', ratio: 0.1 },
] as const;

interface Read {
  key: string;
  name: string;
  path: (seeded: Seeded) => string;
  ratio?: number;
  p99?: number;
}

interface Bench {
  plan: Plan;
  site: Site;
  seeded: Seeded;
  /** Tokens of the reader, and of posting authors. */
  token: string;
  tokens: string[];
  tokenOf: (accountId: string) => Promise<string>;
  load: Child;
  floor: Child;
}

async function compareWith(revision: string, pairs: number): Promise<void> {
  const args = process.argv.slice(2).filter((arg) => /^--(quick|only=|rounds=)/.test(arg));
  if (!(await benchAgainst(revision, args, pairs))) process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      'cpu-prof': { type: 'string' },
      against: { type: 'string' },
      pairs: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  if (values.against !== undefined) return compareWith(values.against, Number(values.pairs));
  const only = values.only?.split(',');
  const wanted = (key: string): boolean => only?.includes(key) ?? true;
  const usual = values.quick ? QUICK : FULL;
  const plan = { ...usual, rounds: Number(values.rounds ?? usual.rounds) };

  const special = await measureSpecial(only, plan, values['cpu-prof']);
  if (special) return print(special);
  const attack = only?.find((key) => key.startsWith('hostile'));
  const profileDir = values['cpu-prof'];
  if (attack !== undefined) return hostile(plan, profileDir, attack.slice('hostile:'.length));
  const site = await openSite({ profileDir });
  const bench = await prepare(plan, site);
  const rows = await measureServer(bench, wanted);
  const after = await residentMegabytes(site.server.pid);
  // The log is measured alone.
  await site.server.stop();
  if (wanted('rebuild')) rows.push(await measureRebuild(bench));
  if (wanted('append')) rows.push(...(await measureAppends(bench)));
  if (REBUILD_ROWS.some(wanted)) rows.push(...(await measureRebuilds(plan.rebuilds, plan.rounds, wanted)));
  print(rows);
  process.stdout.write(`\n${memory(site, after)}\n`);
}

/** Measures rows that need servers of their own. @returns undefined when others are asked for */
async function measureSpecial(
  only: readonly string[] | undefined,
  plan: Plan,
  profileDir: string | undefined,
): Promise<Row[] | undefined> {
  if (only?.every((key) => REBUILD_ROWS.includes(key))) {
    return measureRebuilds(plan.rebuilds, plan.rounds, (key) => only.includes(key));
  }
  if (only?.every((key) => key === 'history')) {
    return measureHistory(await openSite({ profileDir }), plan.history, say);
  }
  if (only?.every((key) => key === 'eventstoredb')) {
    return measureEngines({ rounds: plan.rounds, profileDir, timing: timing(plan), say });
  }
  return undefined;
}

const print = (rows: readonly Row[]): void => void process.stdout.write(`\n${renderTable(rows)}\n`);

/** The rows of a server under load. */
async function measureServer(bench: Bench, wanted: (key: string) => boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const read of READS.filter(({ key }) => wanted(key))) rows.push(await measureRead(bench, read));
  if (wanted('web-home')) rows.push(await webHome(bench));
  if (wanted('filters')) rows.push(await measureFilters(bench));
  if (TIMELINE_ROWS.some(wanted)) rows.push(...(await timelines(bench, wanted)));
  if (wanted('post')) rows.push(await measurePosts(bench));
  if (wanted('tiles')) rows.push(...(await tiles(bench)));
  if (wanted('media')) rows.push(await measureUploads(bench));
  return rows;
}

async function hostile(plan: Plan, profileDir: string | undefined, name: string): Promise<void> {
  const names = await startSilentNameServer();
  const site = await openSite({ profileDir, settings: HOSTILE_SETTINGS, preload: names.preload });
  const { seeded, tokenOf } = await prepare(plan, site);
  const rows = await measureHostile({ site, seeded, tokenOf, rounds: plan.rounds, say }, name);
  names.close();
  say(`The silent name server was asked ${names.asked()} times`);
  process.stdout.write(`\n${renderHostile(rows)}\n`);
}

async function prepare(plan: Plan, site: Site): Promise<Bench> {
  const { accounts, statuses } = plan.size;
  say(`Seeding ${accounts} accounts and ${statuses} statuses`);
  const started = performance.now();
  const seeded = await seed(site.app, plan.size);
  say(`Seeded and projected in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  const tokenOf = await tokensFor(site, ['read', 'write']);
  const authors = seeded.accounts.slice(1, 1 + CONNECTIONS);
  return {
    plan,
    site,
    seeded,
    tokenOf,
    token: await tokenOf(seeded.reader.id),
    tokens: await Promise.all(authors.map(({ id }) => tokenOf(id))),
    load: startChild('load.ts'),
    floor: startChild('floor.ts'),
  };
}

const webHome = ({ plan, site, seeded, token }: Bench): Promise<Row> =>
  measureWebHome(site, { id: seeded.reader.id, token }, Math.max(plan.rounds, 3), say);

const tiles = ({ plan, site, tokens, load }: Bench): Promise<Row[]> =>
  measureTiles({ site, tokens, load, rounds: plan.rounds, timing: timing(plan), say });

const timelines = (bench: Bench, wanted: (key: string) => boolean): Promise<Row[]> =>
  measureTimelines(
    {
      ...bench,
      size: bench.plan.timelines,
      seconds: bench.plan.seconds,
      read: (key, name, path, token) => measureRead({ ...bench, token }, { key, name, path: () => path }),
    },
    wanted,
  );

async function measureRead(bench: Bench, read: Read): Promise<Row & { ratio: number }> {
  const { plan, site, seeded, token, load, floor } = bench;
  const url = `${site.url}${read.path(seeded)}`;
  const text = await call(url, token);
  const { url: floorUrl } = await floor.ask<{ url: string }>({ row: read.key, text });
  const same = await call(floorUrl);
  if (Buffer.byteLength(same) !== Buffer.byteLength(text))
    throw new Error(`${read.name}: the floor has another size`);

  const rounds = await repeat(plan, read.name, async () => {
    const before = await cpuTimes(site.server.pid, site.app.db);
    const ours = await load.ask<Load>({ kind: 'read', url, token, ...timing(plan) } satisfies LoadJob);
    const after = await cpuTimes(site.server.pid, site.app.db);
    say(cpuPerItem(before, after, ours.perSecond * (plan.seconds + plan.warmupSeconds), 'request'));
    const theirs = await load.ask<Load>({ kind: 'read', url: floorUrl, ...timing(plan) } satisfies LoadJob);
    return { ours, theirs };
  });
  const row = compared(read.name, rounds);
  return {
    ...row,
    bytes: Buffer.byteLength(text),
    targets: [
      ...(read.ratio === undefined ? [] : [atLeast('ratio', row.ratio, read.ratio)]),
      ...(read.p99 === undefined ? [] : [below('p99', row.p99, read.p99)]),
    ],
  };
}

async function measurePosts({ plan, site, tokens, load }: Bench): Promise<Row> {
  const { databaseUrl } = site;
  const url = `${site.url}/api/v1/statuses`;
  const rounds = await repeat(plan, 'post a status', async () => {
    const before = await cpuTimes(site.server.pid, site.app.db);
    const ours = await load.ask<Load>({ kind: 'post', url, tokens, ...timing(plan) } satisfies LoadJob);
    const after = await cpuTimes(site.server.pid, site.app.db);
    say(cpuPerItem(before, after, ours.posted.length, 'post'));
    await expectReadable(site.url, tokens, ours.posted);
    await untilCaughtUp(site.app);
    const theirs = await load.ask<Load>({ kind: 'commit', databaseUrl, ...timing(plan) } satisfies LoadJob);
    return { ours, theirs };
  });
  await expectAtHomeAtOnce(site.url, tokens, 100);
  say('Every acknowledged post was readable by its author');
  const row = compared('post a status', rounds);
  return { ...row, targets: [atLeast('ratio', row.ratio, 0.15)] };
}

/** The floor is the same page without filters. */
async function measureFilters({ plan, site, token, load }: Bench): Promise<Row> {
  const rounds = await repeat(plan, 'filters', () =>
    filteredPage({ url: site.url, token, load }, timing(plan)),
  );
  const row = compared('home of 40 with 200 filter keywords', rounds);
  return {
    ...row,
    bytes: median(rounds.map(({ bytes }) => bytes)),
    targets: [atLeast('ratio', row.ratio, 0.87)],
  };
}

async function measureUploads({ plan, site, token }: Bench): Promise<Row> {
  const pictures = startChild('pictures.ts');
  const shared = { url: site.url, token, seconds: plan.seconds };
  const rounds = await repeat(plan, 'media upload', async () => ({
    ours: await pictures.ask<Load>({ kind: 'upload', ...shared } satisfies PictureJob),
    theirs: await pictures.ask<Load>({ kind: 'sharp', ...shared } satisfies PictureJob),
  }));
  await pictures.stop();
  const row = compared('media upload 12 MP, megapixels', rounds);
  return { ...row, targets: [atLeast('ratio', row.ratio, 0.7)] };
}

async function measureRebuild({ plan, site: { env } }: Bench): Promise<Row> {
  const child = startChild('rebuild.ts', env);
  const rounds = await repeat(plan, 'projection rebuild', () => child.ask<RebuildRate>({}));
  await child.stop();
  const perSecond = median(rounds.map((round) => round.perSecond));
  return {
    name: 'projection rebuild, events',
    perSecond,
    floor: median(rounds.map((round) => round.floor)),
    ratio: median(rounds.map((round) => round.perSecond / round.floor)),
    targets: [atLeast('per second', perSecond, 15_000)],
  };
}

async function measureAppends({ plan, site: { app } }: Bench): Promise<Row[]> {
  const rounds = await repeat(plan, 'append', async () => ({
    one: await appendRate(app, 1, plan.seconds),
    many: await appendRate(app, CONNECTIONS, plan.seconds),
  }));
  const one = median(rounds.map((round) => round.one));
  const ratio = median(rounds.map((round) => round.many / round.one));
  return [
    { name: 'append, 1 caller', perSecond: one },
    {
      name: `append, ${CONNECTIONS} callers`,
      floor: one,
      ratio,
      perSecond: median(rounds.map((round) => round.many)),
      targets: [atLeast('ratio', ratio, 6)],
    },
  ];
}

/** A first round is not counted: for some seconds, V8 compiles what a row runs. */
async function repeat<T>({ rounds }: Plan, name: string, work: () => Promise<T>): Promise<T[]> {
  say(`${name}, to warm up`);
  await work();
  const results: T[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`${name}, ${round} of ${rounds}`);
    results.push(await work());
  }
  return results;
}

/** Medians over the rounds; the ratio is that of each round, since the machine may be faster in one than in another. */
function compared(name: string, rounds: readonly { ours: Load; theirs: Load }[]) {
  return {
    name,
    perSecond: median(rounds.map(({ ours }) => ours.perSecond)),
    p50: median(rounds.map(({ ours }) => ours.p50)),
    p99: median(rounds.map(({ ours }) => ours.p99)),
    floor: median(rounds.map(({ theirs }) => theirs.perSecond)),
    floorP99: median(rounds.map(({ theirs }) => theirs.p99)),
    ratio: median(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)),
  };
}

const timing = ({ warmupSeconds, seconds }: Plan) => ({ connections: CONNECTIONS, warmupSeconds, seconds });

function memory({ firstStart, start, idle }: Site, after: number | undefined): string {
  const line = (name: string, megabytes: number | undefined, bound: number): string =>
    megabytes === undefined
      ? `${name}: unknown on this system`
      : `${name}: ${megabytes.toFixed(0)} MB, target < ${bound} MB ${megabytes < bound ? 'met' : 'MISSED'}`;
  return [
    `start-up: ${firstStart.toFixed(2)} s in a new folder, ${start.toFixed(2)} s after`,
    line('server memory, idle', idle, 150),
    line('server memory, after the load', after, 350),
  ].join('\n');
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

let ending: Promise<void> | undefined;
onEndSignals((signal) => {
  ending ??= cleanUp().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
});
try {
  await main();
} finally {
  await cleanUp();
}
