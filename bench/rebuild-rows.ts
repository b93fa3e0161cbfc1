import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from './processes.ts';
import type { BehindJob, BehindRate, MixJob, MixRate } from './rebuild-mix.ts';
import { atLeast, below, median, type Row } from './table.ts';

export interface RebuildSizes {
  /** Events of the log that is rebuilt, and of the longer one that it grows to. */
  mix: number;
  grow: number;
  /** Events that one group lacks of the shorter log. */
  behind: number;
}

export const REBUILD_ROWS = ['rebuild-mix', 'rebuild-behind', 'rebuild-grow'];

/** Measures rebuilds of a log with the mix of a real server, in a process and a database of their own. */
export async function measureRebuilds(
  { mix, grow, behind }: RebuildSizes,
  rounds: number,
  wanted: (key: string) => boolean,
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-rebuild-'));
  const child = startChild('rebuild-mix.ts', { DATA_DIR: folder });
  const measure = async (events: number): Promise<MixRate> => {
    const rates: MixRate[] = [];
    // The first round is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      rates.push(await child.ask<MixRate>({ events } satisfies MixJob));
      process.stderr.write(`rebuild of ${events} events: ${Math.round(rates.at(-1)?.perSecond ?? 0)}/s\n`);
    }
    const middle = (of: (rate: MixRate) => number): number => median(rates.slice(1).map(of));
    return {
      perSecond: middle(({ perSecond }) => perSecond),
      floor: middle(({ floor }) => floor),
      wal: middle(({ wal }) => wal),
      megabytes: middle(({ megabytes }) => megabytes),
    };
  };
  try {
    const rows: Row[] = [];
    if (wanted('rebuild-behind')) rows.push(await measureBehind(child, { events: mix, behind }, rounds));
    if (!wanted('rebuild-mix') && !wanted('rebuild-grow')) return rows;
    const short = await measure(mix);
    rows.unshift(rowOf(`rebuild of ${mix} mixed events`, short));
    if (wanted('rebuild-grow')) rows.push(grown(grow, await measure(grow), short));
    return rows;
  } finally {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rebuilds with one group behind and with none, in turns. The first round is not counted. */
async function measureBehind(child: Child, job: BehindJob, rounds: number): Promise<Row> {
  const pairs: { behind: BehindRate; level: BehindRate }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const behind = await child.ask<BehindRate>(job);
    const level = await child.ask<BehindRate>({ ...job, behind: 0 } satisfies BehindJob);
    pairs.push({ behind, level });
    const [slower, usual] = [behind, level].map(({ perSecond }) => Math.round(perSecond));
    process.stderr.write(
      `rebuild with a group ${job.behind} behind: ${slower}/s, level: ${usual}/s, locks up to ${Math.round(behind.longestLock)} ms\n`,
    );
  }
  const counted = pairs.slice(1);
  const cost = median(counted.map(({ behind, level }) => level.perSecond / behind.perSecond));
  const longestLock = Math.max(
    ...counted.flatMap((pair) => Object.values(pair).map((each) => each.longestLock)),
  );
  return {
    name: `rebuild of ${job.events} mixed events, one group ${job.behind} behind`,
    perSecond: median(counted.map(({ behind }) => behind.perSecond)),
    floor: median(counted.map(({ level }) => level.perSecond)),
    ratio: 1 / cost,
    targets: [
      below(`cost (${cost.toFixed(2)})`, cost, 1.05),
      below(`lock ms (${Math.round(longestLock)})`, longestLock, 1_000),
    ],
  };
}

function rowOf(name: string, { perSecond, floor, wal, megabytes }: MixRate): Row {
  const ratio = perSecond / floor;
  return {
    name,
    perSecond,
    floor,
    ratio,
    targets: [
      atLeast('ratio', ratio, 0.35),
      below(`MB (${Math.round(megabytes)})`, megabytes, 350),
      below(`WAL bytes (${Math.round(wal)})`, wal, 1_000),
    ],
  };
}

/** The ratio is that of the rates of the long and the short log. */
const grown = (events: number, long: MixRate, short: MixRate): Row => ({
  name: `rebuild of ${events} mixed events beside the shorter log`,
  perSecond: long.perSecond,
  floor: short.perSecond,
  ratio: long.perSecond / short.perSecond,
  targets: [
    atLeast('ratio', long.perSecond / short.perSecond, 0.9),
    below(`MB (${Math.round(long.megabytes)})`, long.megabytes, 350),
  ],
});
