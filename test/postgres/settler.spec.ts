import { expect } from 'chai';
import { Checkpoints } from '../../src/storage/postgres/checkpoints.ts';
import { PositionSettler, type SettlerOptions } from '../../src/storage/postgres/settler.ts';
import { failureOf } from '../support/failure.ts';

const HOUR = 3_600_000;

describe('Waiting for read models', () => {
  let checkpoints: Checkpoints;
  beforeEach(() => (checkpoints = new Checkpoints({ query: () => Promise.resolve([]) })));
  afterEach(() => checkpoints.close());

  const settler = (options: Partial<SettlerOptions> = {}) =>
    new PositionSettler(checkpoints, {
      ...{ timeout: HOUR, alone: true, head: () => Promise.resolve(0n) },
      ...options,
    });

  it('waits for the writes of the same token and of no other', async () => {
    const positions = settler();
    positions.wrote('mine', 5n);
    expect(positions.settle('other', ['main'])).to.equal(undefined);
    const settled = positions.settle('mine', ['main']);
    checkpoints.committed('main', 5n);
    await settled;
  });

  it('fails with `unavailable` when the read models do not catch up in time', async () => {
    const positions = settler({ timeout: 5 });
    positions.wrote('mine', 5n);
    expect(await failureOf(Promise.resolve(positions.settle('mine', ['main'])))).to.equal('unavailable');
  });

  it('waits for every write from before the process started, by any token', async () => {
    const positions = settler({ head: () => Promise.resolve(5n) });
    await positions.begin(['main']);
    expect(positions.settle('anybody', ['home'])).to.equal(undefined);
    let found = false;
    const reading = Promise.resolve(positions.settle('anybody', ['main'])).then(() => (found = true));
    checkpoints.committed('main', 4n);
    await new Promise((resolve) => setImmediate(resolve));
    expect(found).to.equal(false);
    checkpoints.committed('main', 5n);
    await reading;
    expect(positions.settle('anybody', ['main'])).to.equal(undefined);
  });

  it('ends soon and only once after a start when a read model is halted', async () => {
    const positions = settler({ timeout: 5, head: () => Promise.resolve(5n) });
    await positions.begin(['main']);
    await positions.settle('anybody', ['main']);
    expect(positions.settle('anybody', ['main']), 'nor again').to.equal(undefined);
  });

  describe('for writes of other processes', () => {
    const shared = (position: bigint | 'unknown') => ({
      set: () => undefined,
      get: () => Promise.resolve(position),
    });

    it('waits for the writes of the same token', async () => {
      const positions = settler({ alone: false, timeout: 5, shared: shared(5n) });
      expect(await failureOf(Promise.resolve(positions.settle('mine', ['home'])))).to.equal('unavailable');
      checkpoints.committed('home', 5n);
      await positions.settle('mine', ['home']);
    });

    it('waits for the head of the log when the writer is unknown', async () => {
      let asked = 0;
      const head = () => Promise.resolve(BigInt((asked += 1)));
      const positions = settler({ alone: false, shared: shared('unknown'), head });
      let found = false;
      const reading = Promise.resolve(positions.settle('mine', ['home'])).then(() => (found = true));
      await new Promise((resolve) => setImmediate(resolve));
      expect(found).to.equal(false);
      checkpoints.committed('home', 1n);
      await reading;
    });

    it('ends soon for an unknown writer when a read model is halted', async () => {
      const head = () => Promise.resolve(5n);
      const positions = settler({ alone: false, timeout: 5, shared: shared('unknown'), head });
      await positions.settle('other', ['home']);
      positions.wrote('mine', 4n);
      expect(await failureOf(Promise.resolve(positions.settle('mine', ['home'])))).to.equal('unavailable');
    });
  });

  describe('later', () => {
    it('returns immediately and makes the next reader of the group wait', async () => {
      const positions = settler();
      positions.wrote('mine', 5n);
      expect(positions.settleLater('mine', ['main'])).to.equal(undefined);
      expect(positions.settle('other', ['home'])).to.equal(undefined);
      let found = false;
      const others = Promise.resolve(positions.settle('other', ['main'])).then(() => (found = true));
      await new Promise((resolve) => setImmediate(resolve));
      expect(found).to.equal(false);
      checkpoints.committed('main', 5n);
      await others;
      expect(positions.settle('other', ['main'])).to.equal(undefined);
    });

    it('waits immediately once another process appears, and never fails', async () => {
      const positions = settler({ timeout: 5 });
      positions.wrote('mine', 5n);
      positions.notAlone();
      const waiting = positions.settleLater('mine', ['main']);
      expect(waiting).to.be.a('promise');
      await waiting;
    });

    it('waits immediately when the read models are far behind', async () => {
      const positions = settler({ timeout: 5 });
      positions.wrote('mine', 1_000n);
      const waiting = positions.settleLater('mine', ['main']);
      expect(waiting).to.be.a('promise');
      await waiting;
      checkpoints.committed('main', 900n);
      expect(positions.settleLater('mine', ['main'])).to.equal(undefined);
    });

    it('delays other readers only briefly and once when the read models are halted', async () => {
      const positions = settler({ timeout: 5 });
      positions.wrote('mine', 5n);
      await positions.settleLater('mine', ['main']);
      await positions.settle('other', ['main']);
      expect(positions.settle('another', ['main'])).to.equal(undefined);
    });

    it('waits immediately when other processes serve reads', async () => {
      const positions = settler({ alone: false });
      positions.wrote('mine', 5n);
      const settled = positions.settleLater('mine', ['main']);
      expect(settled).to.be.a('promise');
      checkpoints.committed('main', 5n);
      await settled;
    });
  });
});
