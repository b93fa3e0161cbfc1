import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { FEDERATING, HERE } from '../test/support/inbox.ts';
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
import type { MentionedAccount } from '../queries/statuses/mentioned.ts';
import { startChild } from './processes.ts';
import { untilCaughtUp, type Seeded } from './seed.ts';
import type { Site } from './site.ts';
import type { Steady, SteadyJob } from './steady.ts';
import { median } from './table.ts';

/** The p99 of all others in milliseconds, without an attack and during it. */
export interface HostileRow {
  name: string;
  alone: number;
  under: number;
  /** The largest ratio that is allowed, where it is not the usual one. */
  target?: number;
}

export interface HostileSite {
  site: Site;
  seeded: Seeded;
  tokenOf: (accountId: string) => Promise<string>;
  /** An account that no steady user has, and its token. */
  attacker: { id: string; username: string; token: string };
}

export type Victims = 'requests of users' | 'mentions of another server';

/** One address, host, token or account that wants all of the server. */
export interface Attack {
  name: string;
  /** The traffic that is measured beside it: requests of local users unless another is named. */
  victims?: Victims;
  /** Runs once, before anything is measured. */
  prepare?: (target: HostileSite, rounds: number) => Promise<void>;
  /** Attacks until the signal, and returns soon after it. A refusal by the server is no reason to stop, or to throw. */
  run: (target: HostileSite, signal: AbortSignal) => Promise<void>;
  /** Closes what `prepare` opened. */
  finish?: (target: HostileSite) => Promise<void>;
}

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
const SECONDS = 8;
/** Milliseconds that an attack lasts before the users are measured. */
const LEAD = 1_500;
const TARGET = 2;
/** As `nice` counts: the least. */
const ATTACKER_PRIORITY = 19;

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
    await attack.prepare?.(target, rounds);
    const measure = victims.measures[attack.victims ?? 'requests of users'];
    const measured: Pick<HostileRow, 'alone' | 'under'>[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const alone = await measure();
      const under = await duringAttack(attack, target, measure);
      const load = (await readFile('/proc/loadavg', 'utf8').catch(() => '')).split(' ')[0];
      const figures = [alone, under].map(
        ({ p50, p99, failed }) => `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} failed ${failed}`,
      );
      say(
        `${attack.name}, ${round} of ${rounds}: alone ${figures[0]}; under ${figures[1]}; load average ${load}`,
      );
      measured.push({ alone: alone.p99, under: under.p99 });
    }
    await attack.finish?.(target);
    rows.push({
      name: attack.name,
      alone: median(measured.map(({ alone }) => alone)),
      under: median(measured.map(({ under }) => under)),
    });
  }
  await victims.stop();
  return [...rows, ...(await measureHanging({ ...bench, rounds, say, crowd }, name))];
}

type Measure = () => Promise<Steady>;

async function startVictims(
  { site, seeded, tokenOf }: Omit<HostileSite, 'attacker'>,
  mentioned: MentionedAccount,
  users: readonly MentionedAccount[],
): Promise<{ measures: Record<Victims, Measure>; stop: () => Promise<void> }> {
  const { url } = site;
  const { origin } = site.app.instance;
  const steady = startChild('steady.ts');
  const neighbour = startChild('neighbour.ts');
  const tokens = await Promise.all(users.map(({ id }) => tokenOf(id)));
  const account = { uri: `${origin}/users/${mentioned.username}`, token: await tokenOf(mentioned.id) };
  const steadyJob: SteadyJob = { url, tokens, statusId: seeded.statusId, seconds: SECONDS };
  const neighbourJob: NeighbourJob = { url, mentioned: account, seconds: SECONDS };
  return {
    measures: {
      'requests of users': () => steady.ask<Steady>(steadyJob),
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
  await sleep(LEAD);
  return under;
}

/** A table in Markdown. */
export function renderHostile(rows: readonly HostileRow[]): string {
  const lines = rows.map(({ name, alone, under, target = TARGET }) => {
    const ratio = under / alone;
    const met = ratio <= target ? 'met' : 'MISSED';
    return `| ${name} | ${alone.toFixed(1)} | ${under.toFixed(1)} | ${ratio.toFixed(2)} | <= ${target} ${met} |`;
  });
  return [
    '| attack | p99 alone ms | p99 under attack ms | ratio | target |',
    '|---|--:|--:|--:|---|',
    ...lines,
  ].join('\n');
}
