import { expect } from 'chai';
import type { RelayEvent } from '#events/relays.ts';
import { relays } from '#projections/relays.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const one = { id: '1', inbox_url: 'https://one.example:8443/inbox', actor_url: null };
const two = { id: '2', inbox_url: 'https://two.example/inbox', actor_url: 'https://two.example/actor' };
const three = { id: '3', inbox_url: 'https://three.example/inbox', actor_url: null };

describe('The read model of relays', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains the state of each, and the actor that may sign', async () => {
    const events: RelayEvent[] = [
      { type: 'RelayAdded', data: one },
      { type: 'RelayEnabled', data: { ...one, follow_id: '11' } },
      { type: 'RelayAdded', data: two },
      { type: 'RelayEnabled', data: { ...two, follow_id: '12' } },
      { type: 'RelayAccepted', data: { id: '1', actor: 'https://one.example:8443/actor' } },
      { type: 'RelayAccepted', data: { id: '2', actor: 'https://two.example/actor' } },
      { type: 'RelayRejected', data: { id: '2' } },
      { type: 'RelayAdded', data: three },
      { type: 'RelayEnabled', data: { ...three, follow_id: '13' } },
      { type: 'RelayDisabled', data: { ...three, follow_id: '13' } },
    ];
    const shown = async (given: RelayEvent[]): Promise<unknown[]> => {
      const { relays: rows = [] } = await project(db, relays, given);
      return rows.map(({ id, host, state, follow_id, actor }) => [id, host, state, follow_id, actor]);
    };
    expect(await shown(events)).to.have.deep.members([
      [1, 'one.example:8443', 'accepted', 11, 'https://one.example:8443/actor'],
      [2, 'two.example', 'rejected', 12, null],
      [3, 'three.example', 'idle', null, null],
    ]);
    const removed: RelayEvent[] = [
      ...events,
      { type: 'RelayRemoved', data: { id: '1', inbox_url: one.inbox_url } },
    ];
    expect(await shown(removed)).to.have.length(2);
  });
});
