import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Batcher, type BatchOptions } from '#kernel/batcher.ts';

describe('The batcher', () => {
  /** Loads that end when the test ends them, in any order. The row of a key is its double. */
  const held = (options?: BatchOptions) => {
    const loads: { keys: readonly number[]; end: () => void }[] = [];
    const batcher = new Batcher<number, number>(
      (keys) =>
        new Promise((resolve) => loads.push({ keys, end: () => resolve(keys.map((key) => 2 * key)) })),
      options,
    );
    return { batcher, loads, sent: () => loads.map(({ keys }) => keys) };
  };

  it('sends the requests of one turn together, and returns to each its own row', async () => {
    const { batcher, loads, sent } = held();
    const rows = Promise.all([1, 2, 3].map((key) => batcher.get(key)));
    await turn();
    expect(sent()).to.deep.equal([[1, 2, 3]]);
    loads[0]?.end();
    expect(await rows).to.deep.equal([2, 4, 6]);
  });

  it('cuts a batch at its maximum, and sends the rest in order of arrival', async () => {
    const { batcher, loads, sent } = held({ size: 2 });
    const rows = Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => batcher.get(key)));
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(sent()).to.deep.equal([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    loads[1]?.end();
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(sent().slice(3)).to.deep.equal([[7, 8]]);
    for (const { end } of loads) end();
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(sent().slice(4)).to.deep.equal([[9]]);
    loads[4]?.end();
    expect(await rows).to.deep.equal([2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  it('runs as many batches at once as configured', async () => {
    const { batcher, loads, sent } = held({ maxConcurrent: 1 });
    const first = batcher.get(1);
    await turn();
    const others = Promise.all([batcher.get(2), batcher.get(3)]);
    await turn();
    expect(sent()).to.deep.equal([[1]]);
    loads[0]?.end();
    expect(await first).to.equal(2);
    await turn();
    await turn();
    expect(sent().slice(1)).to.deep.equal([[2, 3]]);
    loads[1]?.end();
    expect(await others).to.deep.equal([4, 6]);
  });

  describe('with a batch in progress and a minimum batch size', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    const oneUnderWay = async () => {
      const { batcher, loads, sent } = held({ maxConcurrent: 2, minBatch: 2 });
      const asked = [batcher.get(1)];
      await turn();
      asked.push(batcher.get(2));
      await turn();
      expect(sent()).to.deep.equal([[1]]);
      const end = async (): Promise<void> => {
        for (const load of loads) load.end();
        await Promise.all(asked);
      };
      return { batcher, loads, sent, asked, end };
    };

    it('waits for more keys', async () => {
      const { batcher, sent, asked, end } = await oneUnderWay();
      asked.push(batcher.get(3));
      await turn();
      expect(sent()).to.deep.equal([[1], [2, 3]]);
      await end();
    });

    it('waits for the end of the batch in progress', async () => {
      const { loads, sent, asked, end } = await oneUnderWay();
      loads[0]?.end();
      await asked[0];
      await turn();
      expect(sent()).to.deep.equal([[1], [2]]);
      await end();
    });

    it('waits for a short time only', async () => {
      const { sent, end } = await oneUnderWay();
      mock.timers.tick(5);
      await turn();
      expect(sent()).to.deep.equal([[1], [2]]);
      await end();
    });
  });
});
