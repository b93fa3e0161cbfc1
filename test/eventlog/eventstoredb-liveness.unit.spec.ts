import { expect } from 'chai';
import { Liveness } from '#storage/eventlog/eventstoredb-liveness.ts';

describe('The liveness of a subscription to EventStoreDB', () => {
  let [position, known, head] = [0n, 0n, 0n];
  let [asked, deaf] = [0, 0];
  let liveness: Liveness;

  beforeEach(() => {
    [position, known, head] = [10n, 10n, 10n];
    [asked, deaf] = [0, 0];
    liveness = new Liveness({
      position: () => position,
      known: () => known,
      ask: () => {
        asked += 1;
        known = head;
        return Promise.resolve();
      },
      onDeaf: () => (deaf += 1),
    });
    liveness.check();
  });
  afterEach(() => liveness.stop());

  /** Lets the answer to a question arrive, too. */
  const check = async (): Promise<void> => {
    liveness.check();
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('ends at the second check after an append of this process that it did not bring', async () => {
    liveness.hear();
    known = 20n;
    await check();
    expect(deaf).to.equal(0);
    await check();
    expect([deaf, asked]).to.deep.equal([1, 0]);
  });

  it('ends at the second check after an append of another process that it did not bring', async () => {
    head = 20n;
    await check();
    expect([deaf, asked]).to.deep.equal([0, 1]);
    await check();
    expect([deaf, asked]).to.deep.equal([1, 1]);
  });

  it('goes on while events arrive, however far the head is, and asks nothing', async () => {
    for (let n = 0; n < 10; n += 1) {
      known += 100n;
      position += 1n;
      liveness.hear();
      await check();
    }
    expect([deaf, asked]).to.deep.equal([0, 0]);
  });

  it('goes on when the missing event arrives before the next check', async () => {
    known = 20n;
    await check();
    position = 20n;
    liveness.hear();
    await check();
    await check();
    expect(deaf).to.equal(0);
  });

  it('asks while the log is silent, one question at a time, and goes on', async () => {
    for (let n = 0; n < 3; n += 1) await check();
    expect([deaf, asked]).to.deep.equal([0, 3]);
    liveness.check();
    liveness.check();
    expect(asked).to.equal(4);
  });
});
