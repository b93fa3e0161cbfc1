import { readFile } from 'node:fs/promises';
import type { Database } from '#storage/postgres/db.ts';

/** Seconds of processor time so far, by who spent it: the server, and each kind of Postgres process. */
export type CpuTimes = ReadonlyMap<string, number>;

/** Ticks of /proc per second: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Reads the times now; an empty map where there is no /proc. */
export async function cpuTimes(serverPid: number, db: Database): Promise<CpuTimes> {
  const backends = await db.query<{ pid: number; who: string }>(
    `select pid, coalesce(nullif(application_name, ''), backend_type) as who from pg_stat_activity`,
  );
  const times = new Map<string, number>();
  for (const { pid, who } of [{ pid: serverPid, who: 'server' }, ...backends]) {
    const seconds = await secondsOf(pid);
    if (seconds !== undefined) times.set(who, (times.get(who) ?? 0) + seconds);
  }
  return times;
}

/** Returns the CPU time between two moments, divided by `count`, as a line of text. */
export function cpuPerItem(before: CpuTimes, after: CpuTimes, count: number, item: string): string {
  const spent = [...after]
    .map(([who, seconds]) => ({ who, ms: ((seconds - (before.get(who) ?? 0)) * 1_000) / count }))
    .filter(({ ms }) => ms >= 0.005)
    .sort((a, b) => b.ms - a.ms);
  const postgres = spent.filter(({ who }) => who !== 'server').reduce((sum, { ms }) => sum + ms, 0);
  const server = spent.find(({ who }) => who === 'server')?.ms ?? 0;
  const parts = spent.filter(({ who }) => who !== 'server').map(({ who, ms }) => `${who} ${ms.toFixed(3)}`);
  return `CPU ms per ${item}: server ${server.toFixed(3)}, Postgres ${postgres.toFixed(3)} (${parts.join(', ')})`;
}

async function secondsOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // After the name in parentheses: state is the 3rd field, utime and stime the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
