import { expect } from 'chai';
import type { Db } from '#kernel/read.ts';
import { DelayedWriter } from '#storage/reactor-runtime/delayed-writer.ts';
import { TimerStateWriter } from '#storage/reactor-runtime/timer-states.ts';
import { TimerStatus } from '#storage/reactor-runtime/timer-status.ts';

/** The column of the stored arrays that counts how often timers acted. */
const FIRED = 4;

describe('The states of timers', () => {
  let stored: unknown[][] = [];
  let isDown = false;
  const db = {
    query: (_statement: unknown, values: unknown[]) => {
      if (isDown) return Promise.reject(new Error('down'));
      stored.push(values);
      return Promise.resolve([]);
    },
  } as unknown as Db;
  let writer: TimerStateWriter;
  let timers: TimerStatus[];
  beforeEach(() => {
    stored = [];
    isDown = false;
    timers = ['one', 'two', 'three'].map((name) => new TimerStatus(name, () => writer.changed()));
    writer = new TimerStateWriter(db, timers, () => undefined);
  });
  afterEach(() => writer.close());

  it('are stored in one statement after many changes of several timers, and not again without changes', async () => {
    for (let event = 0; event < 1_000; event += 1) {
      timers[0]?.fired();
      for (const timer of timers) timer.checked(Infinity, 0);
    }
    await writer.flush();
    for (const timer of timers) timer.checked(Infinity, 0);
    await writer.flush();
    expect(stored.map((values) => values[FIRED])).to.deep.equal([[1_000, 0, 0]]);
  });

  it('leave out timers that have not looked for anything yet, but keep what is stored of them', async () => {
    timers[1]?.checked(Date.now(), 0);
    await writer.flush();
    expect(stored[0]?.slice(0, 2)).to.deep.equal([['one', 'two', 'three'], ['two']]);
  });

  it('count what happened while the database was down once it is back, and each time once', async () => {
    const [timer] = timers;
    timer?.checked(Infinity, 0);
    timer?.fired();
    isDown = true;
    expect(await writer.flush().catch((error: unknown) => (error as Error).message)).to.equal('down');
    timer?.fired();
    isDown = false;
    await writer.flush();
    timer?.fired();
    await writer.flush();
    expect(stored.map((values) => values[FIRED])).to.deep.equal([[2], [1]]);
  });
});

describe('The state of a timer', () => {
  it('has the last error, and the time of the first one, until nothing waits for another try', () => {
    const timer = new TimerStatus('one', () => undefined);
    expect(timer.state()).to.equal(undefined);
    timer.begins();
    expect(timer.state()?.nextAt).to.be.a('number');
    timer.failed(new Error('first'));
    const since = timer.state()?.failingSince;
    expect(since).to.be.a('number');
    timer.failed('second');
    timer.checked(since ?? 0, 2);
    timer.fired();
    expect(timer.state()).to.include({ error: 'second', failingSince: since, failing: 2, nextAt: since });
    timer.checked(Infinity, 0);
    expect(timer.state()).to.include({ error: undefined, failingSince: undefined, failing: 0, fired: 1 });
    expect(timer.state()?.nextAt).to.equal(undefined);
  });
});

describe('A delayed writer', () => {
  it('writes once more for all changes during a write, after its end', async () => {
    const ends: (() => void)[] = [];
    const writer = new DelayedWriter({
      write: () => new Promise((end) => ends.push(end)),
      retryAfter: 1,
      onError: () => undefined,
    });
    const first = writer.flush();
    await Promise.resolve();
    const others = Promise.all([writer.flush(), writer.flush(), writer.flush()]);
    expect(ends).to.have.length(1);
    ends[0]?.();
    await first;
    await new Promise(setImmediate);
    expect(ends).to.have.length(2);
    ends[1]?.();
    await others;
    writer.close();
    expect(ends).to.have.length(2);
  });

  it('tries again by itself after a failure', async () => {
    let tries = 0;
    await new Promise<void>((done) => {
      const writer = new DelayedWriter({
        write: () => {
          tries += 1;
          if (tries === 1) return Promise.reject(new Error('down'));
          writer.close();
          done();
          return Promise.resolve();
        },
        retryAfter: 1,
        onError: () => undefined,
      });
      writer.within(1);
    });
    expect(tries).to.equal(2);
  });
});
