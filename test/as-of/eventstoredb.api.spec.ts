import { expect } from 'chai';
import { pointAt } from '#app/as-of/index.ts';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { startTown, type Town } from '../support/people.ts';
import { servePast } from './served.ts';

/** In EventStoreDB, positions have gaps, and the log can be read only from the position of an event. */
describe('The past of a log in EventStoreDB', function () {
  this.timeout(60_000);
  let double: EventStoreDbDouble;
  let town: Town;
  before(async () => {
    double = await startEventStoreDbDouble();
    town = await startTown({ EVENTSTORE_URL: double.url });
  });
  after(async () => {
    await town.close();
    await double.kill();
  });

  it('is found by position and by time, and is served', async () => {
    const alice = await town.person('alice');
    await alice.post('/api/v1/statuses', { status: 'Then' });
    await town.waitUntilIdle();
    const position = await town.events();
    await alice.post('/api/v1/statuses', { status: 'Now' });
    await town.waitUntilIdle();
    const { log } = town.app;
    const then = await pointAt(log, { position });
    expect(await pointAt(log, { time: Date.parse(then.happenedAt) })).to.deep.equal(then);
    const none = await pointAt(log, { position: position - 1n }).catch((error: unknown) => error);
    expect(none).to.include({ code: 'not_found' });
    const served = await servePast(town.app, position);
    const posts = (await served.get('/api/v1/timelines/home', alice.token)).body as { content: string }[];
    expect(posts.map(({ content }) => content)).to.deep.equal(['<p>Then</p>']);
    await served.close();
  });
});
