import type { App } from '#app/app.ts';
import type { Engine, Engines, EnginesPlan } from './engines.ts';
import { buildBeside, dropBuild } from './log-rows.ts';
import { atLeast, median, type Row } from './table.ts';

interface Reading {
  perSecond: number;
  /** Events for each second of processor time of this process, which reads. */
  perCpuSecond: number;
}

/** Rebuilds the read models, and verifies the log, with both engines in turns. */
export async function measureReading({ postgres, eventStoreDb }: Engines, plan: EnginesPlan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, before, read, after } of READERS) {
    const measure = async ({ site }: Engine): Promise<Reading> => {
      await before?.(site.app);
      const reading = await measured(() => read(site.app));
      await after?.(site.app);
      return reading;
    };
    const pairs: { ours: Reading; theirs: Reading }[] = [];
    for (let n = 0; n <= plan.rounds; n += 1) {
      const first = n % 2 === 0 ? await measure(postgres) : undefined;
      const ours = await measure(eventStoreDb);
      const theirs = first ?? (await measure(postgres));
      plan.say(`${name}: ${ours.perSecond.toFixed(0)} and ${theirs.perSecond.toFixed(0)} events/s`);
      // The first pair warms up.
      if (n > 0) pairs.push({ ours, theirs });
    }
    rows.push(rowOf(name, pairs, 'perSecond'), rowOf(`${name}, per CPU second`, pairs, 'perCpuSecond'));
  }
  return rows;
}

interface Reader {
  name: string;
  before?: (app: App) => Promise<unknown>;
  /** Returns the number of events that it read. */
  read: (app: App) => Promise<number>;
  after?: (app: App) => Promise<void>;
}

const READERS: readonly Reader[] = [
  { name: 'EventStoreDB / PostgreSQL: rebuild, events', read: buildBeside, after: dropBuild },
  {
    name: 'EventStoreDB / PostgreSQL: log verify, events',
    before: ({ transparencyLog }) => transparencyLog.record(),
    read: async ({ transparencyLog }) => (await transparencyLog.verify([], undefined)).events,
  },
];

async function measured(read: () => Promise<number>): Promise<Reading> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const events = await read();
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: events / seconds, perCpuSecond: events / ((user + system) / 1e6) };
}

function rowOf(
  name: string,
  pairs: readonly { ours: Reading; theirs: Reading }[],
  value: keyof Reading,
): Row {
  const ratio = median(pairs.map(({ ours, theirs }) => ours[value] / theirs[value]));
  return {
    name,
    perSecond: median(pairs.map(({ ours }) => ours[value])),
    floor: median(pairs.map(({ theirs }) => theirs[value])),
    ratio,
    targets: [atLeast('ratio', ratio, 0.8)],
  };
}
