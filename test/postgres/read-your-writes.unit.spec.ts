import { expect } from 'chai';
import { Context, type ContextDependencies } from '#kernel/context.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import { ReadYourWrites, type ReadYourWritesOptions } from '#storage/postgres/projector/read-your-writes.ts';
import { failureOf } from '../support/failure.ts';

const HOUR = 3_600_000;

const decider = { initialState: 0, evolve: (state: number) => state };
/** Every command ends at position 5 of the log. */
const dependencies = {
  db: { query: () => Promise.resolve([]) },
  execute: () => Promise.resolve({ state: 0, events: [], position: 5n }),
} as unknown as ContextDependencies;

describe('Waiting for read models', () => {
  let checkpoints: Checkpoints;
  beforeEach(() => (checkpoints = new Checkpoints({ query: () => Promise.resolve([]) })));
  afterEach(() => checkpoints.close());

  const readYourWrites = (options: Partial<ReadYourWritesOptions> = {}) =>
    new ReadYourWrites(checkpoints, {
      timeout: HOUR,
      alone: true,
      head: () => Promise.resolve(0n),
      ...options,
    });

  it('waits for the writes of the same token and of no other', async () => {
    const positions = readYourWrites();
    positions.wrote('mine', 5n);
    expect(positions.wait('other', ['main'])).to.equal(undefined);
    const waiting = positions.wait('mine', ['main']);
    checkpoints.committed('main', 5n);
    await waiting;
  });

  it('fails with `unavailable` when the read models do not catch up in time', async () => {
    const positions = readYourWrites({ timeout: 5 });
    positions.wrote('mine', 5n);
    expect(await failureOf(Promise.resolve(positions.wait('mine', ['main'])))).to.equal('unavailable');
  });

  it('waits for every write from before the process started, by any token', async () => {
    const positions = readYourWrites({ head: () => Promise.resolve(5n) });
    await positions.begin(['main']);
    expect(positions.wait('anybody', ['home'])).to.equal(undefined);
    let found = false;
    const reading = Promise.resolve(positions.wait('anybody', ['main'])).then(() => (found = true));
    checkpoints.committed('main', 4n);
    await new Promise((resolve) => setImmediate(resolve));
    expect(found).to.equal(false);
    checkpoints.committed('main', 5n);
    await reading;
    expect(positions.wait('anybody', ['main'])).to.equal(undefined);
  });

  it('waits again for the writes that a group loses in a crash of the database, by any token', async () => {
    const positions = readYourWrites();
    checkpoints.begins('main', 5n);
    expect(positions.wait('anybody', ['main'])).to.equal(undefined);
    checkpoints.begins('main', 3n);
    const reading = positions.wait('anybody', ['main']);
    expect(reading).not.to.equal(undefined);
    checkpoints.committed('main', 5n);
    await reading;
    expect(positions.wait('anybody', ['main'])).to.equal(undefined);
  });

  it('ends soon and only once after a start when a read model is halted', async () => {
    const positions = readYourWrites({ timeout: 5, head: () => Promise.resolve(5n) });
    await positions.begin(['main']);
    await positions.wait('anybody', ['main']);
    expect(positions.wait('anybody', ['main']), 'nor again').to.equal(undefined);
  });

  it('makes an explicit wait wait for the main read models where the reads of an endpoint wait for none', async () => {
    const consistency = readYourWrites();
    const ctx = new Context(
      { ...dependencies, consistency },
      { requestId: 'posting', ip: '', locale: undefined, reads: [] },
    );
    await ctx.execute('stream', decider, () => []);
    await ctx.db.query('select 1');
    let waited = false;
    const waiting = ctx.waitForReadModels().then(() => (waited = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(waited).to.equal(false);
    checkpoints.committed('main', 5n);
    await waiting;
  });

  describe('for writes of other processes', () => {
    const shared = (position: bigint | 'unknown') => ({
      set: () => undefined,
      get: () => Promise.resolve(position),
    });

    it('waits for the writes of the same token', async () => {
      const positions = readYourWrites({ alone: false, timeout: 5, shared: shared(5n) });
      expect(await failureOf(Promise.resolve(positions.wait('mine', ['home'])))).to.equal('unavailable');
      checkpoints.committed('home', 5n);
      await positions.wait('mine', ['home']);
    });

    it('waits for the head of the log when the writer is unknown', async () => {
      let asked = 0;
      const head = () => Promise.resolve(BigInt((asked += 1)));
      const positions = readYourWrites({ alone: false, shared: shared('unknown'), head });
      let found = false;
      const reading = Promise.resolve(positions.wait('mine', ['home'])).then(() => (found = true));
      await new Promise((resolve) => setImmediate(resolve));
      expect(found).to.equal(false);
      checkpoints.committed('home', 1n);
      await reading;
    });

    it('ends soon for an unknown writer when a read model is halted', async () => {
      const head = () => Promise.resolve(5n);
      const positions = readYourWrites({ alone: false, timeout: 5, shared: shared('unknown'), head });
      await positions.wait('other', ['home']);
      positions.wrote('mine', 4n);
      expect(await failureOf(Promise.resolve(positions.wait('mine', ['home'])))).to.equal('unavailable');
    });
  });

  describe('later', () => {
    it('returns immediately and makes the next reader of the group wait', async () => {
      const positions = readYourWrites();
      positions.wrote('mine', 5n);
      expect(positions.defer('mine', ['main'])).to.equal(undefined);
      expect(positions.wait('other', ['home'])).to.equal(undefined);
      let found = false;
      const others = Promise.resolve(positions.wait('other', ['main'])).then(() => (found = true));
      await new Promise((resolve) => setImmediate(resolve));
      expect(found).to.equal(false);
      checkpoints.committed('main', 5n);
      await others;
      expect(positions.wait('other', ['main'])).to.equal(undefined);
    });

    it('waits immediately once another process appears, and never fails', async () => {
      const positions = readYourWrites({ timeout: 5 });
      positions.wrote('mine', 5n);
      positions.notAlone();
      const waiting = positions.defer('mine', ['main']);
      expect(waiting).to.be.a('promise');
      await waiting;
    });

    for (const [engine, apart] of [
      ['PostgreSQL', 1n],
      ['EventStoreDB', 1_000n],
    ] as const) {
      it(`waits immediately when the read models are 500 writes behind, with positions as of ${engine}`, async () => {
        const positions = readYourWrites({ timeout: 5 });
        const write = (number: number): Promise<void> | void => {
          positions.wrote('mine', BigInt(number) * apart);
          return positions.defer('mine', ['main']);
        };
        for (let number = 1; number <= 500; number += 1) expect(write(number)).to.equal(undefined);
        const waiting = write(501);
        expect(waiting).to.be.a('promise');
        await waiting;
        checkpoints.committed('main', 2n * apart);
        expect(write(502)).to.equal(undefined);
        expect(write(503)).to.be.a('promise');
      });
    }

    it('waits immediately while the read models are behind the position at which the process began', async () => {
      const positions = readYourWrites({ timeout: 5, head: () => Promise.resolve(5_000n) });
      await positions.begin(['main']);
      positions.wrote('mine', 5_001n);
      expect(positions.defer('mine', ['main'])).to.be.a('promise');
      checkpoints.committed('main', 5_000n);
      expect(positions.defer('mine', ['main'])).to.equal(undefined);
    });

    it('delays other readers only briefly and once when the read models are halted', async () => {
      const positions = readYourWrites({ timeout: 5 });
      positions.wrote('mine', 5n);
      await positions.defer('mine', ['main']);
      await positions.wait('other', ['main']);
      expect(positions.wait('another', ['main'])).to.equal(undefined);
    });

    it('waits immediately when other processes serve reads', async () => {
      const positions = readYourWrites({ alone: false });
      positions.wrote('mine', 5n);
      const waiting = positions.defer('mine', ['main']);
      expect(waiting).to.be.a('promise');
      checkpoints.committed('main', 5n);
      await waiting;
    });
  });
});
