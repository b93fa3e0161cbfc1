import { expect } from 'chai';
import { Checkpoints } from '../../src/storage/postgres/checkpoints.ts';
import { PositionSettler, type SettlerOptions } from '../../src/storage/postgres/settler.ts';
import { failureOf } from '../support/failure.ts';

const HOUR = 3_600_000;

describe('Settling', () => {
  let checkpoints: Checkpoints;
  beforeEach(() => (checkpoints = new Checkpoints({ query: () => Promise.resolve([]) })));
  afterEach(() => checkpoints.close());

  const settler = (options: Partial<SettlerOptions> = {}) =>
    new PositionSettler(checkpoints, {
      ...{ timeout: HOUR, alone: true, head: () => Promise.resolve(0n) },
      ...options,
    });

  it('waits for what the same token wrote, and nobody else does', async () => {
    const positions = settler();
    positions.wrote('mine', 5n);
    expect(positions.settle('other', ['main'])).to.equal(undefined);
    const settled = positions.settle('mine', ['main']);
    checkpoints.committed('main', 5n);
    await settled;
  });

  it('fails where the read models do not get there in time', async () => {
    const positions = settler({ timeout: 5 });
    positions.wrote('mine', 5n);
    expect(await failureOf(Promise.resolve(positions.settle('mine', ['main'])))).to.equal('unavailable');
  });

  it('waits for what was written before the process began, whoever wrote it', async () => {
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

  it('keeps nobody for long who begins where a read model stands still', async () => {
    const positions = settler({ timeout: 5, head: () => Promise.resolve(5n) });
    await positions.begin(['main']);
    await positions.settle('anybody', ['main']);
    expect(positions.settle('anybody', ['main']), 'nor again').to.equal(undefined);
  });

  describe('what is written in other processes', () => {
    const shared = (position: bigint | 'unknown') => ({
      set: () => undefined,
      get: () => Promise.resolve(position),
    });

    it('is waited for by whoever wrote it', async () => {
      const positions = settler({ alone: false, timeout: 5, shared: shared(5n) });
      expect(await failureOf(Promise.resolve(positions.settle('mine', ['home'])))).to.equal('unavailable');
      checkpoints.committed('home', 5n);
      await positions.settle('mine', ['home']);
    });

    it('is waited for by everybody where nobody knows who wrote it', async () => {
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

    it('keeps nobody for long then, where a read model stands still', async () => {
      const head = () => Promise.resolve(5n);
      const positions = settler({ alone: false, timeout: 5, shared: shared('unknown'), head });
      await positions.settle('other', ['home']);
      positions.wrote('mine', 4n);
      expect(await failureOf(Promise.resolve(positions.settle('mine', ['home'])))).to.equal('unavailable');
    });
  });

  describe('later', () => {
    it('goes on at once, and whoever reads the group next waits', async () => {
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

    it('waits itself where another process turns up, and fails not even when that is in vain', async () => {
      const positions = settler({ timeout: 5 });
      positions.wrote('mine', 5n);
      positions.notAlone();
      const waiting = positions.settleLater('mine', ['main']);
      expect(waiting).to.be.a('promise');
      await waiting;
    });

    it('waits for a time where the read models are far behind', async () => {
      const positions = settler({ timeout: 5 });
      positions.wrote('mine', 1_000n);
      const waiting = positions.settleLater('mine', ['main']);
      expect(waiting).to.be.a('promise');
      await waiting;
      checkpoints.committed('main', 900n);
      expect(positions.settleLater('mine', ['main'])).to.equal(undefined);
    });

    it('lets nobody wait for long, nor twice, for what others wrote to read models that stand still', async () => {
      const positions = settler({ timeout: 5 });
      positions.wrote('mine', 5n);
      await positions.settleLater('mine', ['main']);
      await positions.settle('other', ['main']);
      expect(positions.settle('another', ['main'])).to.equal(undefined);
    });

    it('is now, where other processes serve reads', async () => {
      const positions = settler({ alone: false });
      positions.wrote('mine', 5n);
      const settled = positions.settleLater('mine', ['main']);
      expect(settled).to.be.a('promise');
      checkpoints.committed('main', 5n);
      await settled;
    });
  });
});
