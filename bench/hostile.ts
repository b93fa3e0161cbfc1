import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEAVY_ATTACKS } from './hostile-heavy.ts';
import { startChild, type Child } from './processes.ts';
import { settled, type Seeded } from './seed.ts';
import type { Site } from './site.ts';
import type { Steady, SteadyJob } from './steady.ts';
import { median } from './table.ts';

/** The p99 of everybody else in milliseconds, without an attack and during it. */
export interface HostileRow {
  name: string;
  alone: number;
  under: number;
}

export interface HostileSite {
  site: Site;
  seeded: Seeded;
  tokenOf: (accountId: string) => Promise<string>;
  /** An account that no steady user has, and its token. */
  attacker: { id: string; username: string; token: string };
}

/** One address, host, token or account that wants all of the server. */
export interface Attack {
  name: string;
  /** Runs once, before anything is measured. */
  prepare?: (target: HostileSite) => Promise<void>;
  /** Attacks until the signal, and returns soon after it. A refusal by the server is no reason to stop, or to throw. */
  run: (target: HostileSite, signal: AbortSignal) => Promise<void>;
}

/** Default rate limits; addresses of clients come by `X-Forwarded-For` from this machine. */
export const HOSTILE_SETTINGS = { RATE_LIMITS: 'on', TRUSTED_PROXY_IP: '127.0.0.1' };

const ATTACKS: readonly Attack[] = [...HEAVY_ATTACKS];

const USERS = 100;
const SECONDS = 8;
/** Of an attack before the users are measured, in milliseconds. */
const LEAD = 1_500;
const TARGET = 2;

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
  const [attacking, ...users] = accounts.slice(1, USERS + 2);
  if (!attacking) throw new Error('There has to be an account');
  const attacker = { ...attacking, token: await bench.tokenOf(attacking.id) };
  const target: HostileSite = { ...bench, attacker };
  const tokens = await Promise.all(users.map(({ id }) => bench.tokenOf(id)));
  const child = startChild('steady.ts');
  const job: SteadyJob = { url: bench.site.url, tokens, statusId: bench.seeded.statusId, seconds: SECONDS };
  say('Steady users, to warm up');
  await child.ask<Steady>(job);
  const rows: HostileRow[] = [];
  for (const attack of ATTACKS.filter((each) => each.name.includes(name))) {
    await attack.prepare?.(target);
    const measured: Pick<HostileRow, 'alone' | 'under'>[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const alone = await child.ask<Steady>(job);
      const under = await duringAttack(attack, target, child, job);
      const load = (await readFile('/proc/loadavg', 'utf8').catch(() => '')).split(' ')[0];
      const figures = [alone, under].map(
        ({ p50, p99, failed }) => `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} failed ${failed}`,
      );
      say(
        `${attack.name}, ${round} of ${rounds}: alone ${figures[0]}; under ${figures[1]}; load average ${load}`,
      );
      measured.push({ alone: alone.p99, under: under.p99 });
    }
    rows.push({
      name: attack.name,
      alone: median(measured.map(({ alone }) => alone)),
      under: median(measured.map(({ under }) => under)),
    });
  }
  await child.stop();
  return rows;
}

async function duringAttack(
  attack: Attack,
  target: HostileSite,
  child: Child,
  job: SteadyJob,
): Promise<Steady> {
  const stop = new AbortController();
  const attacking = attack.run(target, stop.signal);
  // An attack that fails is reported after the measurement, not as an unhandled rejection.
  attacking.catch(() => undefined);
  await sleep(LEAD);
  const under = await child.ask<Steady>(job);
  stop.abort();
  await attacking;
  await settled(target.site.app);
  await sleep(LEAD);
  return under;
}

/** A table in Markdown. */
export function renderHostile(rows: readonly HostileRow[]): string {
  const lines = rows.map(({ name, alone, under }) => {
    const ratio = under / alone;
    const met = ratio <= TARGET ? 'met' : 'MISSED';
    return `| ${name} | ${alone.toFixed(1)} | ${under.toFixed(1)} | ${ratio.toFixed(2)} | <= ${TARGET} ${met} |`;
  });
  return [
    '| attack | p99 alone ms | p99 under attack ms | ratio | target |',
    '|---|--:|--:|--:|---|',
    ...lines,
  ].join('\n');
}
