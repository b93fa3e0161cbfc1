import { expectReadable } from './client.ts';
import { cpuPerItem, cpuTimes } from './cpu.ts';
import type { Engine, Engines, EnginesPlan, Traffic } from './engines.ts';
import type { Load, LoadJob } from './load.ts';
import { type Child, startChild } from './processes.ts';
import { untilCaughtUp } from './seed.ts';
import { atLeast, median, type Row } from './table.ts';

/** One measurement of posting. */
interface Posting extends Load {
  /** Posts for each second of processor time of the server. */
  perCpuSecond: number;
  /** Events that were sent to subscriptions for each event that was stored; undefined without a double. */
  sent: number | undefined;
}

/** Posts to both servers in turns, and changes their order from pair to pair. */
export async function measurePosts({ postgres, eventStoreDb }: Engines, plan: EnginesPlan): Promise<Row[]> {
  const load = startChild('load.ts');
  const pairs: { ours: Posting; theirs: Posting }[] = [];
  for (let n = 0; n <= plan.rounds; n += 1) {
    plan.say(n === 0 ? 'posts, to warm up' : `posts, ${n} of ${plan.rounds}`);
    const first = n % 2 === 0 ? await post(postgres, load, plan) : undefined;
    const ours = await post(eventStoreDb, load, plan);
    const theirs = first ?? (await post(postgres, load, plan));
    if (n > 0) pairs.push({ ours, theirs });
  }
  await load.stop();
  return rowsOf(pairs);
}

async function post(engine: Engine, load: Child, { timing, say }: EnginesPlan): Promise<Posting> {
  const { site, tokens } = engine;
  const url = `${site.url}/api/v1/statuses`;
  const sentBefore = await engine.traffic?.();
  const before = await cpuTimes(site.server.pid, site.app.db);
  const done = await load.ask<Load>({ kind: 'post', url, tokens, ...timing } satisfies LoadJob);
  await untilCaughtUp(site.app);
  const after = await cpuTimes(site.server.pid, site.app.db);
  const seconds = (after.get('server') ?? NaN) - (before.get('server') ?? NaN);
  await expectReadable(site.url, tokens, done.posted);
  const sent = sentPerEvent(sentBefore, await engine.traffic?.());
  say(`${engine.name}: ${done.perSecond.toFixed(0)} posts/s, p50 ${done.p50.toFixed(1)} ms`);
  say(cpuPerItem(before, after, done.posted.length, 'post'));
  if (sent !== undefined) say(`Events sent to subscriptions for each event: ${sent.toFixed(2)}`);
  return { ...done, perCpuSecond: done.posted.length / seconds, sent };
}

function sentPerEvent(before: Traffic | undefined, after: Traffic | undefined): number | undefined {
  if (!before || !after) return undefined;
  return (after.sentToSubscriptions - before.sentToSubscriptions) / (after.stored - before.stored);
}

function rowsOf(pairs: readonly { ours: Posting; theirs: Posting }[]): Row[] {
  const of = (value: (posting: Posting) => number) => {
    const ratio = median(pairs.map(({ ours, theirs }) => value(ours) / value(theirs)));
    return {
      perSecond: median(pairs.map(({ ours }) => value(ours))),
      floor: median(pairs.map(({ theirs }) => value(theirs))),
      ratio,
      targets: [atLeast('ratio', ratio, 0.5)],
    };
  };
  const sent = pairs.flatMap(({ ours }) => ours.sent ?? []);
  return [
    {
      name: 'EventStoreDB / PostgreSQL: posts',
      ...of(({ perSecond }) => perSecond),
      p50: median(pairs.map(({ ours }) => ours.p50)),
      p99: median(pairs.map(({ ours }) => ours.p99)),
      floorP99: median(pairs.map(({ theirs }) => theirs.p99)),
    },
    { name: 'posts per CPU second of the server', ...of(({ perCpuSecond }) => perCpuSecond) },
    ...(sent.length > 0 ? [sentRow(median(sent))] : []),
  ];
}

const sentRow = (ratio: number): Row => ({
  name: 'events sent to subscriptions, per event',
  ratio,
  targets: [{ text: 'ratio = 1', met: Math.abs(ratio - 1) < 0.01 }],
});
