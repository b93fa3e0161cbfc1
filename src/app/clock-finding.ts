import { durationText } from '#kernel/quantities.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { HealthFinding } from '#kernel/services/server-health.ts';
import type { SteadyClock } from '#kernel/steady-clock.ts';

/** Milliseconds: the codes of authenticator apps change after as many. */
const TOLERATED = 30_000;
const NOW = statement<{ milliseconds: number }>(
  'clock_now',
  'select (extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds',
);

export interface Clocks {
  db: Db;
  idClock: SteadyClock;
  /** The clock of this machine, in milliseconds since 1970. */
  machine?: () => number;
}

/** Compares the clock of this machine with the newest ids of the log and with the clock of the database. */
export async function clockFinding(clocks: Clocks): Promise<HealthFinding> {
  const fault = await clockFault(clocks);
  const name = 'clock';
  if (fault !== undefined) return { name, state: 'warning', text: `the clock of this machine is ${fault}` };
  return { name, state: 'ok', text: `within ${TOLERATED / 1_000} seconds of that of the database` };
}

/** @throws Error when the clock of this machine is far off; a database that does not answer says nothing about it */
export async function assertClockRight(clocks: Clocks): Promise<void> {
  const found = await clockFinding(clocks).catch(() => undefined);
  if (found?.state === 'warning') throw new Error(found.text);
}

async function clockFault({ db, idClock, machine = Date.now }: Clocks): Promise<string | undefined> {
  const ahead = idClock.ahead();
  if (ahead > TOLERATED) {
    return `${durationText(ahead / 1_000)} behind the newest entries of the log; new ids go on after these`;
  }
  const before = machine();
  const [row] = await db.query(NOW);
  const after = machine();
  const theirs = row?.milliseconds ?? before;
  if (theirs - after > TOLERATED)
    return `${durationText((theirs - after) / 1_000)} behind the clock of the database`;
  if (before - theirs > TOLERATED)
    return `${durationText((before - theirs) / 1_000)} ahead of the clock of the database`;
  return undefined;
}
