import { expect } from 'chai';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';

describe('Checkpoints', () => {
  const checkpoints = new Checkpoints({ query: () => Promise.resolve([]) });
  const HOUR = 3_600_000;
  afterEach(() => checkpoints.close());

  it('let a runner rest until a caller waits for its group', async () => {
    const rest = checkpoints.pauseBetweenBatches('home', HOUR);
    const other = checkpoints.reached('main', 1n, HOUR);
    const reached = checkpoints.reached('home', 5n, HOUR);
    await rest;
    checkpoints.committed('home', 5n);
    expect(await reached).to.equal(true);
    checkpoints.close();
    expect(await other).to.equal(false);
  });

  it('let no runner rest while a caller waits for its group', async () => {
    const reached = checkpoints.reached('lists', 5n, HOUR);
    await checkpoints.pauseBetweenBatches('lists', HOUR);
    checkpoints.committed('lists', 7n);
    expect(await reached).to.equal(true);
  });

  it('keep the position of a group that moved while the positions were read', async () => {
    const answer = Promise.withResolvers<unknown[]>();
    const reading = new Checkpoints({ query: <Row>() => answer.promise as Promise<Row[]> });
    reading.begins('home', 7n);
    reading.begins('main', 7n);
    const refreshed = reading.refresh();
    reading.begins('home', 6n);
    reading.begins('home', 7n);
    answer.resolve(['home', 'main'].map((group) => ({ group, position: '5', foremost: '6' })));
    await refreshed;
    expect([reading.position('home'), reading.position('main')]).to.deep.equal([7n, 6n]);
    reading.close();
  });
});
