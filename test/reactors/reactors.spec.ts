import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { createCodec } from '../../src/eventlog/codec.ts';
import { createEventLog } from '../../src/eventlog/event-log.ts';
import { deriveId, execute } from '../../src/eventlog/execute.ts';
import type { EventLog } from '../../src/eventlog/port.ts';
import { openPostgresEventStore } from '../../src/eventlog/postgres.ts';
import { Context } from '../../src/http/context.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { defineEvent, type EventDefinition } from '../../src/kernel/event.ts';
import { reactor, timer, type Reactor, type Timer } from '../../src/kernel/reactor.ts';
import { openDatabase, type Database } from '../../src/postgres/db.ts';
import { migrate } from '../../src/postgres/migrations/index.ts';
import type { Origin } from '../../src/reactors/runtime/attempt.ts';
import { startReactors, type RunningReactors } from '../../src/reactors/runtime/start.ts';
import { askRetry, listSetAside, reactorStates } from '../../src/reactors/runtime/store.ts';
import { freshDatabase } from '../support/database.ts';

const note = <Type extends string>(type: Type) =>
  defineEvent({ type, version: 1, schema: z.object({ n: z.number() }), samples: { 1: { n: 1 } } });
const Asked = note('Asked');
const Answered = note('Answered');

/** Answers are counted per stream, without a rule of their own: only the command's id keeps a repeat out. */
const answers = { initialState: 0, evolve: (count: number) => count + 1 };
const answer = (ctx: CommandContext, n: number) =>
  ctx.execute(`answer-${n}`, answers, () => [{ type: 'Answered', data: { n } }]);

describe('Running reactors', () => {
  let url: string;
  let db: Database;
  let log: EventLog;
  const running: RunningReactors[] = [];
  const setAside: string[] = [];

  beforeEach(async () => {
    url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 6, applicationName: 'test' });
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    const catalogue = [Asked, Answered] as unknown as EventDefinition<string, never>[];
    log = createEventLog(await openPostgresEventStore(url), createCodec(catalogue, none));
    setAside.length = 0;
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()));
    await log.close();
    await db.close();
  });

  const contextFor = ({ rule, cause, correlationId, causationId }: Origin): CommandContext =>
    new Context(
      {
        db,
        instance: {
          ...{ domain: '', origin: '', mediaOrigin: '', vapidPublicKey: '' },
          emojis: { json: () => undefined, listed: () => '[]' },
        },
        services: {} as CommandContext['services'],
        newId: () => '1',
        execute: (execution) => execute(log, execution),
        settler: { wrote: () => undefined, settle: () => undefined },
      },
      {
        requestId: correlationId ?? cause,
        ip: '',
        locale: undefined,
        rule,
        commandId: deriveId(`${rule}/${cause}`),
        causationId,
      },
    );
  const start = async (reactors: Reactor[], timers: Timer[] = []): Promise<RunningReactors> => {
    const started = await startReactors({
      reactors,
      timers,
      url,
      log,
      db,
      checkpointDb: db,
      contextFor,
      reached: () => Promise.resolve(true),
      onError: () => undefined,
      onSetAside: (name, event) => setAside.push(`${name} ${event.stream}`),
    });
    running.push(started);
    return started;
  };
  let asked = 0;
  const ask = async (n: number, stream = `question-${n}`, revision = -1): Promise<bigint> => {
    const id = deriveId(`ask ${(asked += 1)} ${n}`);
    const metadata = { time: '2026-11-21T08:00:00.000Z', command_id: id, correlation_id: `request ${n}` };
    const event = { id, type: 'Asked', data: { n }, metadata };
    return (await log.append(stream, revision, [event])).position;
  };
  const stored = async (n: number) => log.readStream(`answer-${n}`);
  const answering = reactor({
    name: 'answering',
    on: [Asked],
    react: async (ctx, { data }) => {
      await answer(ctx, data.n);
    },
  });
  const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await condition())) await sleep(10);
  };
  /** The connection that holds the lock of the reactors. */
  const lockHolder = async (): Promise<number | undefined> => {
    const [holder] = await db.query<{ pid: number }>(
      `select pid from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and application_name = 'rookery reactors'
       and datname = current_database()`,
    );
    return holder?.pid;
  };

  it('reacts to what comes after its first start, and says what it followed from', async () => {
    await ask(1);
    const reactors = await start([answering]);
    expect(await reactors.reached(await ask(2), 5_000)).to.equal(true);
    expect(await stored(1)).to.deep.equal([]);
    const [event] = await stored(2);
    const [question] = await log.readStream('question-2');
    expect(event?.metadata).to.include({
      rule: 'answering',
      correlation_id: 'request 2',
      causation_id: question?.id,
    });
  });

  it('begins with the first event where it says so', async () => {
    const position = await ask(1);
    const reactors = await start([{ ...answering, begins: 'start' }]);
    expect(await reactors.reached(position, 5_000)).to.equal(true);
    expect(await stored(1)).to.have.lengthOf(1);
  });

  it('goes on after a restart with what happened meanwhile', async () => {
    const first = await start([answering]);
    await first.reached(await ask(1), 5_000);
    await first.stop();
    const position = await ask(2);
    const second = await start([answering]);
    expect(await second.reached(position, 5_000)).to.equal(true);
    expect(await stored(1)).to.have.lengthOf(1);
    expect(await stored(2)).to.have.lengthOf(1);
  });

  it('has no effect twice when a crash comes between a reaction and its checkpoint', async () => {
    let reactions = 0;
    const counting = reactor({
      name: 'answering',
      on: [Asked],
      react: async (ctx, { data }) => {
        reactions += 1;
        await answer(ctx, data.n);
      },
    });
    const first = await start([counting]);
    const before = (await reactorStates(db))[0]?.position;
    await first.reached(await ask(1), 5_000);
    await first.stop();
    // What a crash leaves behind: the reaction in the log, the checkpoint where it was.
    await db.query('update durable.reactors set position = $1', [String(before)]);
    const second = await start([counting]);
    await second.reached(await log.head(), 5_000);
    expect(reactions).to.equal(2);
    expect(await stored(1)).to.have.lengthOf(1);
  });

  it('keeps the order of a stream and works on several streams at once', async () => {
    const seen: string[] = [];
    const both = Promise.withResolvers();
    let open = 0;
    const slow = reactor({
      name: 'slow',
      on: [Asked],
      react: async (_ctx, { stream, data }) => {
        open += 1;
        if (open === 2) both.resolve(true);
        // Neither of the first two ends before both have begun.
        await both.promise;
        if (data.n === 1) await sleep(20);
        seen.push(`${stream} ${data.n}`);
      },
    });
    const reactors = await start([slow]);
    await ask(1, 'a');
    await ask(2, 'a', 0);
    await ask(3, 'a', 1);
    await reactors.reached(await ask(1, 'b'), 5_000);
    expect(seen.filter((each) => each.startsWith('a'))).to.deep.equal(['a 1', 'a 2', 'a 3']);
  });

  it('sets an event aside that fails every time, and goes on with the others', async () => {
    const picky = reactor({
      name: 'picky',
      on: [Asked],
      attempts: 2,
      react: async (ctx, { data }) => {
        if (data.n === 1) throw new Error('not this one');
        await answer(ctx, data.n);
      },
    });
    const reactors = await start([picky]);
    await ask(1);
    await ask(2);
    expect(await reactors.reached(await ask(3, 'question-1', 0), 10_000)).to.equal(true);
    expect(await stored(2)).to.have.lengthOf(1);
    expect(await stored(3)).to.have.lengthOf(1);
    const [failure, ...others] = await listSetAside(db);
    expect(others).to.deep.equal([]);
    expect(failure).to.include({
      reactor: 'picky',
      stream: 'question-1',
      attempts: 2,
      error: 'not this one',
    });
    expect((await reactorStates(db))[0]).to.include({ name: 'picky', setAside: 1 });
    expect(setAside).to.deep.equal(['picky question-1']);
  });

  it('tries an event again that was set aside, when the operator asks', async () => {
    let broken = true;
    const repaired = reactor({
      name: 'repaired',
      on: [Asked],
      attempts: 1,
      react: async (ctx, { data }) => {
        if (broken) throw new Error('out of order');
        await answer(ctx, data.n);
      },
    });
    const reactors = await start([repaired]);
    await reactors.reached(await ask(1), 5_000);
    expect(await listSetAside(db)).to.have.lengthOf(1);
    expect(await askRetry(db, { reactor: 'repaired' })).to.equal(1);
    await until(async () => (await listSetAside(db)).some(({ attempts }) => attempts === 2));
    broken = false;
    await askRetry(db, {});
    await until(async () => (await listSetAside(db)).length === 0);
    expect(await stored(1)).to.have.lengthOf(1);
  });

  it('gives up on a reaction that does not end', async () => {
    const stuck = reactor({
      name: 'stuck',
      on: [Asked],
      attempts: 1,
      deadline: 20,
      react: () => new Promise<void>(() => undefined),
    });
    const reactors = await start([stuck]);
    expect(await reactors.reached(await ask(1), 5_000)).to.equal(true);
    expect((await listSetAside(db))[0]?.error).to.match(/20 ms/);
  });

  it('catches up with more events than it keeps in memory', async () => {
    const seen: number[] = [];
    const gate = Promise.withResolvers();
    const patient = reactor({
      name: 'patient',
      on: [Asked],
      react: async (_ctx, { data }) => {
        await gate.promise;
        seen.push(data.n);
      },
    });
    const reactors = await start([patient]);
    const positions = await Promise.all(Array.from({ length: 4_000 }, (_, n) => ask(n, `many-${n}`)));
    gate.resolve(true);
    const last = positions.reduce((a, b) => (a > b ? a : b));
    expect(await reactors.reached(last, 15_000)).to.equal(true);
    expect(new Set(seen).size).to.equal(4_000);
    expect(seen).to.have.lengthOf(4_000);
  });

  it('runs in one process only, and in the next when that one loses its connection', async () => {
    const by: string[] = [];
    const named = (process: string): Reactor =>
      reactor({ name: 'named', on: [Asked], react: () => Promise.resolve(void by.push(process)) });
    const first = await start([named('first')]);
    expect(await first.reached(await ask(1), 5_000)).to.equal(true);
    const second = await start([named('second')]);
    await ask(2);
    expect(await first.reached(await ask(3), 5_000)).to.equal(true);
    expect(by).to.deep.equal(['first', 'first', 'first']);
    await first.stop();
    await ask(4);
    await until(() => by.length === 4);
    expect(by.at(-1)).to.equal('second');
    expect(await second.reached(await log.head(), 5_000)).to.equal(true);
    // A lost connection cannot be waited for: what was done since the checkpoint would come again.
    await until(async () => (await reactorStates(db))[0]?.position === (await log.head()));
    const third = await start([named('third')]);
    const lost = await lockHolder();
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rookery reactors'
       and datname = current_database()`,
    );
    // Whoever gets the lock next, the events go on.
    await until(async () => ![undefined, lost].includes(await lockHolder()));
    await ask(5);
    expect(await third.reached(await log.head(), 5_000)).to.equal(true);
    expect(by).to.have.lengthOf(5);
  });

  describe('with a timer', () => {
    let due: { key: string; at: number }[] = [];
    const fired: string[] = [];
    let failing = 0;
    const alarm = timer({
      name: 'alarm',
      wakes: [Asked],
      reads: [],
      due: (_db, now, except) => {
        const waiting = due.filter(({ key }) => !except.includes(key)).sort((a, b) => a.at - b.at);
        const rows = waiting.filter(({ at }) => at <= Date.parse(now));
        const next = waiting.find(({ at }) => at > Date.parse(now));
        return Promise.resolve({ rows, next: next && new Date(next.at).toISOString() });
      },
      fire: async (ctx, { key }) => {
        if (key === 'failing' && (failing += 1) < 3) throw new Error('later');
        await answer(ctx, key.length);
        due = due.filter((each) => each.key !== key);
        fired.push(key);
      },
    });
    beforeEach(() => {
      due = [];
      fired.length = 0;
      failing = 0;
    });

    it('fires what came due while nobody ran', async () => {
      due = [{ key: 'past', at: Date.now() - 1_000 }];
      await start([], [alarm]);
      await until(() => fired.length === 1);
      expect((await stored(4))[0]?.metadata).to.include({ rule: 'alarm' });
    });

    it('is woken by an event and fires at the time, not before', async () => {
      await start([], [alarm]);
      const at = Date.now() + 150;
      due = [{ key: 'soon', at }];
      await ask(1);
      await until(() => fired.length === 1);
      expect(Date.now()).to.be.at.least(at);
    });

    it('tries a row again that failed, and fires the others meanwhile', async () => {
      due = [
        { key: 'failing', at: Date.now() - 2 },
        { key: 'fine', at: Date.now() - 1 },
      ];
      await start([], [alarm]);
      await until(() => fired.length === 2);
      expect(fired).to.deep.equal(['fine', 'failing']);
    });
  });
});
