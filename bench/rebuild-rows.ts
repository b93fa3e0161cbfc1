import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './processes.ts';
import type { MixJob, MixRate } from './rebuild-mix.ts';
import { atLeast, below, median, type Row } from './table.ts';

export interface RebuildSizes {
  /** Events of the log that is rebuilt, and of the longer one that it grows to. */
  mix: number;
  grow: number;
}

export const REBUILD_ROWS = ['rebuild-mix', 'rebuild-grow'];

/** Measures rebuilds of a log with the mix of a real server, in a process and a database of their own. */
export async function measureRebuilds(
  { mix, grow }: RebuildSizes,
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
    const short = await measure(mix);
    const rows = [rowOf(`rebuild of ${mix} mixed events`, short)];
    if (wanted('rebuild-grow')) rows.push(grown(grow, await measure(grow), short));
    return rows;
  } finally {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
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
