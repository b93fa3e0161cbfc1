import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp, { type SharpOptions } from 'sharp';
import type { MentionedAccount } from '#queries/statuses/mentioned.ts';
import { FEDERATING, HERE } from '../test/support/inbox.ts';
import type { Attack, HostileRow, HostileSite, Victims } from './attack.ts';
import { BODY_ATTACKS } from './hostile-bodies.ts';
import { CONTROLS } from './hostile-control.ts';
import { GIF_ATTACKS } from './hostile-gifs.ts';
import { HANGING_ATTACKS, measureHanging } from './hostile-hanging.ts';
import { HEAVY_ATTACKS } from './hostile-heavy.ts';
import { IMPORT_ATTACKS } from './hostile-import.ts';
import { INBOX_ATTACKS } from './hostile-inbox.ts';
import { STREAM_ATTACKS } from './hostile-streams.ts';
import { VIDEO_ATTACKS } from './hostile-video.ts';
import type { NeighbourJob } from './neighbour.ts';
import { comparePairs, measurePairs } from './pairs.ts';
import { startChild } from './processes.ts';
import { untilCaughtUp } from './seed.ts';
import type { Steady, SteadyJob } from './steady.ts';

/** Default rate limits; addresses of clients come by `X-Forwarded-For` from this machine. */
export const HOSTILE_SETTINGS = {
  RATE_LIMITS: 'on',
  TRUSTED_PROXY_IP: '127.0.0.1',
  LOCAL_DOMAIN: new URL(HERE).host,
  ...FEDERATING,
};

const ATTACKS: readonly Attack[] = [
  ...CONTROLS,
  ...BODY_ATTACKS,
  ...HEAVY_ATTACKS,
  ...GIF_ATTACKS,
  ...INBOX_ATTACKS,
  ...STREAM_ATTACKS,
  ...VIDEO_ATTACKS,
  ...IMPORT_ATTACKS,
  ...HANGING_ATTACKS,
];

const USERS = 100;
/** The length of each half of a pair. */
const SECONDS = 3;
/** For each round of the bench. */
const PAIRS = 5;
/** Milliseconds that an attack lasts before the users are measured. */
const LEAD = 1_000;
const TARGET = 2;
/** As `nice` counts: the least. */
const ATTACKER_PRIORITY = 19;

/** Some 50 ms of work for the server. */
const PICTURE: SharpOptions = {
  create: {
    width: 400,
    height: 400,
    channels: 3,
    background: 'gray',
    noise: { type: 'gaussian', mean: 128, sigma: 40 },
  },
};

interface Options extends Omit<HostileSite, 'attacker'> {
  rounds: number;
  say: (line: string) => void;
}

/** Measures steady users beside each attack whose name contains the text. */
export async function measureHostile(
  { rounds, say, ...bench }: Options,
  name: string,
): Promise<HostileRow[]> {
  const { accounts } = bench.seeded;
  const [attacking, mentioned, ...users] = accounts.slice(1, USERS + 3);
  if (!attacking || !mentioned) throw new Error('There have to be accounts');
  const attacker = { ...attacking, token: await bench.tokenOf(attacking.id) };
  const target: HostileSite = { ...bench, attacker };
  const victims = await startVictims(bench, mentioned, users);
  const crowd = startChild('crowd.ts');
  // Attackers have machines of their own: what they cost here must not slow the victims.
  setPriority(ATTACKER_PRIORITY);
  say('Victims, to warm up');
  for (const measure of Object.values(victims.measures)) await measure();
  const rows: HostileRow[] = [];
  for (const attack of ATTACKS.filter((each) => each.name.includes(name))) {
    rows.push(await measureAttack(attack, target, victims.measures, { pairs: rounds * PAIRS, say }));
  }
  await victims.stop();
  return [...rows, ...(await measureHanging({ ...bench, rounds, say, crowd }, name))];
}

type Measure = () => Promise<Steady>;

async function measureAttack(
  attack: Attack,
  target: HostileSite,
  measures: Record<Victims, Measure>,
  { pairs, say }: { pairs: number; say: Options['say'] },
): Promise<HostileRow> {
  await attack.prepare?.(target, pairs);
  const measure = measures[attack.victims ?? 'requests of users'];
  const row: Required<Pick<HostileRow, 'name' | 'pairs' | 'p99'>> = { name: attack.name, pairs: [], p99: [] };
  const { quiet: run } = attack;
  const halves = {
    quiet: () => (run ? duringAttack({ name: attack.name, run }, target, measure) : measure()),
    attacked: () => duringAttack(attack, target, measure),
  };
  await measurePairs(pairs, halves, async ({ quiet, attacked }, number) => {
    const figures = [quiet, attacked].map(
      ({ p50, p95, p99, failed }) =>
        `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} p99 ${p99.toFixed(1)} failed ${failed}`,
    );
    const load = await loadAverage();
    say(`${attack.name}, ${number} of ${pairs}: quiet ${figures.join('; attacked ')}; load average ${load}`);
    row.pairs.push({ quiet: quiet.p95, attacked: attacked.p95 });
    row.p99.push({ quiet: quiet.p99, attacked: attacked.p99 });
  });
  await attack.finish?.(target);
  return row;
}

const loadAverage = async (): Promise<string> =>
  (await readFile('/proc/loadavg', 'utf8').catch(() => '')).split(' ')[0] ?? '';

async function startVictims(
  { site, seeded, tokenOf }: Omit<HostileSite, 'attacker'>,
  mentioned: MentionedAccount,
  users: readonly MentionedAccount[],
): Promise<{ measures: Record<Victims, Measure>; stop: () => Promise<void> }> {
  const { url } = site;
  const { origin } = site.app.instance;
  const steady = startChild('steady.ts');
  const picture = (await sharp(PICTURE).jpeg().toBuffer()).toString('base64');
  const neighbour = startChild('neighbour.ts');
  const tokens = await Promise.all(users.map(({ id }) => tokenOf(id)));
  const account = { uri: `${origin}/users/${mentioned.username}`, token: await tokenOf(mentioned.id) };
  const steadyJob: SteadyJob = { url, tokens, statusId: seeded.statusId, seconds: SECONDS };
  const neighbourJob: NeighbourJob = { url, mentioned: account, seconds: SECONDS };
  return {
    measures: {
      'requests of users': () => steady.ask<Steady>(steadyJob),
      'small pictures of users': () => steady.ask<Steady>({ ...steadyJob, picture } satisfies SteadyJob),
      'mentions of another server': () => neighbour.ask<Steady>(neighbourJob),
    },
    stop: async () => {
      await Promise.all([steady.stop(), neighbour.stop()]);
    },
  };
}

async function duringAttack(attack: Attack, target: HostileSite, measure: Measure): Promise<Steady> {
  const stop = new AbortController();
  const attacking = attack.run(target, stop.signal);
  // An attack that fails is reported after the measurement, not as an unhandled rejection.
  attacking.catch(() => undefined);
  await sleep(LEAD);
  const under = await measure();
  stop.abort();
  await attacking;
  await untilCaughtUp(target.site.app);
  await attack.settle?.(target);
  await sleep(LEAD);
  return under;
}

/** A table in Markdown: of each pair the p95 of the victims, unless a row says otherwise. */
export function renderHostile(rows: readonly HostileRow[]): string {
  const lines = rows.map(({ name, pairs, p99, target = TARGET }) => {
    const { quiet, attacked, ratio, low, high } = comparePairs(pairs);
    const met = ratio <= target ? 'met' : 'MISSED';
    const cells = [
      name,
      String(pairs.length),
      quiet.toFixed(1),
      attacked.toFixed(1),
      ratio.toFixed(2),
      `${low.toFixed(2)} to ${high.toFixed(2)}`,
      p99 ? comparePairs(p99).ratio.toFixed(2) : '',
      `<= ${target} ${met}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| attack | pairs | quiet ms | attacked ms | ratio | half of the ratios | ratio of p99 | target |',
    '|---|--:|--:|--:|--:|--:|--:|---|',
    ...lines,
  ].join('\n');
}
