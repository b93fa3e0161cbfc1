import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openMailer } from '#adapters/mail/mailer.ts';
import { type Reactor, reactor } from '#kernel/reactor.ts';
import { commonStart } from '#storage/reactor-runtime/leadership.ts';
import { askRetry, listDeadLetters, reactorStates } from '#storage/reactor-runtime/store.ts';
import { PATIENCE } from '../support/eventually.ts';
import { openSmtpSink } from '../support/smtp-sink.ts';
import { answer, Asked, until, World } from './world.ts';

describe('Running reactors', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const answering = reactor({
    name: 'answering',
    on: [Asked],
    react: async (ctx, { data }) => {
      await answer(ctx, data.n);
    },
  });

  it('reacts to events after its first start, and records their cause', async () => {
    await world.ask(1);
    const reactors = await world.start([answering]);
    expect(await reactors.reached(await world.ask(2), PATIENCE)).to.equal(true);
    expect(await world.stored(1)).to.deep.equal([]);
    const [event] = await world.stored(2);
    const [question] = await world.log.readStream('question-2');
    expect(event?.metadata).to.include({
      rule: 'answering',
      correlation_id: 'request 2',
      causation_id: question?.id,
    });
  });

  it('begins with the first event if declared', async () => {
    const position = await world.ask(1);
    const reactors = await world.start([{ ...answering, begins: 'start' }]);
    expect(await reactors.reached(position, PATIENCE)).to.equal(true);
    expect(await world.stored(1)).to.have.lengthOf(1);
  });

  it('skips events that a reactor ignores', async () => {
    const reactors = await world.start([
      reactor({
        name: 'answering some',
        on: [Asked],
        ignores: ({ data }) => data.n !== 2,
        react: async (ctx, { data }) => {
          await answer(ctx, data.n);
        },
      }),
    ]);
    await world.ask(1);
    expect(await reactors.reached(await world.ask(2), PATIENCE)).to.equal(true);
    expect(await reactors.reached(await world.ask(3), PATIENCE)).to.equal(true);
    expect(await world.stored(1)).to.deep.equal([]);
    expect(await world.stored(2)).to.have.lengthOf(1);
    expect(await world.stored(3)).to.deep.equal([]);
  });

  it('continues after a restart with the events since', async () => {
    const first = await world.start([answering]);
    await first.reached(await world.ask(1), PATIENCE);
    await first.stop();
    const position = await world.ask(2);
    const second = await world.start([answering]);
    expect(await second.reached(position, PATIENCE)).to.equal(true);
    expect(await world.stored(1)).to.have.lengthOf(1);
    expect(await world.stored(2)).to.have.lengthOf(1);
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
    const first = await world.start([counting]);
    const before = (await reactorStates(world.db))[0]?.position;
    await first.reached(await world.ask(1), PATIENCE);
    await first.stop();
    // The state after a crash: the reaction is in the log, the checkpoint is old.
    await world.db.query('update durable.reactors set position = $1', [String(before)]);
    const second = await world.start([counting]);
    await second.reached(await world.log.head(), PATIENCE);
    expect(reactions).to.equal(2);
    expect(await world.stored(1)).to.have.lengthOf(1);
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
    const reactors = await world.start([slow]);
    await world.ask(1, 'a');
    await world.ask(2, 'a', 0);
    await world.ask(3, 'a', 1);
    await reactors.reached(await world.ask(1, 'b'), PATIENCE);
    expect(seen.filter((each) => each.startsWith('a'))).to.deep.equal(['a 1', 'a 2', 'a 3']);
  });

  it('dead-letters an event that fails every time, and continues with the others', async () => {
    const picky = reactor({
      name: 'picky',
      on: [Asked],
      attempts: 2,
      react: async (ctx, { data }) => {
        if (data.n === 1) throw new Error('not this one');
        await answer(ctx, data.n);
      },
    });
    const reactors = await world.start([picky]);
    await world.ask(1);
    await world.ask(2);
    expect(await reactors.reached(await world.ask(3, 'question-1', 0), 10_000)).to.equal(true);
    expect(await world.stored(2)).to.have.lengthOf(1);
    expect(await world.stored(3)).to.have.lengthOf(1);
    const [failure, ...others] = await listDeadLetters(world.db);
    expect(others).to.deep.equal([]);
    expect(failure).to.include({
      reactor: 'picky',
      stream: 'question-1',
      attempts: 2,
      error: 'not this one',
    });
    expect((await reactorStates(world.db))[0]).to.include({ name: 'picky', deadLettered: 1 });
    expect(world.deadLettered).to.deep.equal(['picky question-1']);
  });

  it('dead-letters nothing because of a full disk', async () => {
    let tries = 0;
    const writer = reactor({
      name: 'writer',
      on: [Asked],
      attempts: 1,
      react: async (ctx, { data }) => {
        tries += 1;
        if (tries < 3) throw Object.assign(new Error('No space left on device'), { code: 'ENOSPC' });
        await answer(ctx, data.n);
      },
    });
    const reactors = await world.start([writer]);
    expect(await reactors.reached(await world.ask(1), 10_000)).to.equal(true);
    expect(await listDeadLetters(world.db)).to.deep.equal([]);
    expect(await world.stored(1)).to.have.lengthOf(1);
  });

  it('dead-letters an event whose mail is refused for good', async () => {
    const sink = await openSmtpSink({ refuse: true });
    const smtp = { host: '127.0.0.1', port: sink.port, tls: 'never' as const };
    const options = { dataDir: '', fromAddress: 'noreply@rookery.example', log: () => undefined };
    const mailer = openMailer({ ...options, smtp });
    const mail = { to: 'gone@example.org', subject: 'News', text: 'None', kind: 'news' };
    const reactors = await world.start([
      reactor({ name: 'mailing', on: [Asked], attempts: 2, react: () => mailer.send(mail) }),
    ]);
    expect(await reactors.reached(await world.ask(1), PATIENCE)).to.equal(true);
    expect(await listDeadLetters(world.db)).to.have.lengthOf(1);
    mailer.close();
    await sink.close();
  });

  it('retries a dead-lettered event when the operator asks', async () => {
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
    const reactors = await world.start([repaired]);
    await reactors.reached(await world.ask(1), PATIENCE);
    expect(await listDeadLetters(world.db)).to.have.lengthOf(1);
    expect(await askRetry(world.db, { reactor: 'repaired' })).to.equal(1);
    await until(async () => (await listDeadLetters(world.db)).some(({ attempts }) => attempts === 2));
    broken = false;
    await askRetry(world.db, {});
    await until(async () => (await listDeadLetters(world.db)).length === 0);
    expect(await world.stored(1)).to.have.lengthOf(1);
  });

  it('abandons a reaction that does not end', async () => {
    const stuck = reactor({
      name: 'stuck',
      on: [Asked],
      attempts: 1,
      deadline: 20,
      react: () => new Promise<void>(() => undefined),
    });
    const reactors = await world.start([stuck]);
    expect(await reactors.reached(await world.ask(1), PATIENCE)).to.equal(true);
    expect((await listDeadLetters(world.db))[0]?.error).to.match(/20 ms/);
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
    const reactors = await world.start([patient]);
    const positions = await Promise.all(Array.from({ length: 4_000 }, (_, n) => world.ask(n, `many-${n}`)));
    gate.resolve(true);
    const last = positions.reduce((a, b) => (a > b ? a : b));
    expect(await reactors.reached(last, PATIENCE)).to.equal(true);
    expect(new Set(seen).size).to.equal(4_000);
    expect(seen).to.have.lengthOf(4_000);
  });

  it('lets a reactor that lags read the log by itself, and the others follow from where they are', async () => {
    const prompt = reactor({ name: 'prompt', on: [Asked], react: () => Promise.resolve() });
    const first = await world.start([prompt]);
    await Promise.all(Array.from({ length: 1_200 }, (_, n) => world.ask(n, `many-${n}`)));
    const before = await world.log.head();
    expect(await first.reached(before, PATIENCE)).to.equal(true);
    await first.stop();
    const from: bigint[] = [];
    const { subscribeAll } = world.log;
    world.log.subscribeAll = (after, options) => {
      from.push(after);
      return subscribeAll.call(world.log, after, options);
    };
    const seen: number[] = [];
    const late = reactor({
      name: 'late',
      on: [Asked],
      begins: 'start',
      react: (_ctx, { data }) => Promise.resolve(void seen.push(data.n)),
    });
    const second = await world.start([prompt, late]);
    expect(await second.reached(await world.ask(1_200, 'many-1200'), PATIENCE)).to.equal(true);
    expect(from).to.deep.equal([before]);
    expect(seen).to.have.lengthOf(1_201);
    expect(new Set(seen).size).to.equal(1_201);
  });

  it('lets reactors with nearly the same checkpoint follow the log together', async () => {
    const positions = [];
    for (let n = 0; n < 4; n += 1) positions.push(await world.ask(n));
    const [one = 0n, two = 0n, , four = 0n] = positions;
    expect(await commonStart(world.log, [two, four, one, four])).to.equal(one);
    expect(await commonStart(world.log, [])).to.equal(undefined);
    await Promise.all(Array.from({ length: 600 }, (_, n) => world.ask(n, `many-${n}`)));
    const head = await world.log.head();
    expect(await commonStart(world.log, [one, head, two])).to.equal(head);
  });

  it('runs in one process only, and in the next when that one loses its connection', async () => {
    const by: string[] = [];
    const named = (process: string): Reactor =>
      reactor({ name: 'named', on: [Asked], react: () => Promise.resolve(void by.push(process)) });
    const first = await world.start([named('first')]);
    expect(await first.reached(await world.ask(1), PATIENCE)).to.equal(true);
    const second = await world.start([named('second')]);
    await world.ask(2);
    expect(await first.reached(await world.ask(3), PATIENCE)).to.equal(true);
    expect(by).to.deep.equal(['first', 'first', 'first']);
    await first.stop();
    await world.ask(4);
    await until(() => by.length === 4);
    expect(by.at(-1)).to.equal('second');
    expect(await second.reached(await world.log.head(), PATIENCE)).to.equal(true);
    // After a lost connection the reactor must stop: it would repeat everything since the checkpoint.
    await until(async () => (await reactorStates(world.db))[0]?.position === (await world.log.head()));
    const third = await world.start([named('third')]);
    const lost = await world.lockHolder();
    await world.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rookery reactors'
       and datname = current_database()`,
    );
    // The next holder of the lock continues, in any process.
    await until(async () => ![undefined, lost].includes(await world.lockHolder()));
    await world.ask(5);
    expect(await third.reached(await world.log.head(), PATIENCE)).to.equal(true);
    expect(by).to.have.lengthOf(5);
  });
});
