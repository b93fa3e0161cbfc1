import { expect } from 'chai';
import type { Collection, GroupedNotifications, Notification } from '../../queries/entities/schemas/index.ts';
import { startTown, type Person, type Town } from '../support/people.ts';
import { listen } from '../streaming/support.ts';
import { actsOf, inShort } from './support.ts';

describe('notifications of collections', function () {
  this.timeout(60_000);
  let town: Town;
  let acts: ReturnType<typeof actsOf>;
  let alice: Person;
  let bob: Person;
  before(async () => {
    town = await startTown();
    acts = actsOf(town);
    alice = await town.person('alice');
    bob = await town.person('bob', { discoverable: true });
  });
  after(() => town.close());

  const create = async (): Promise<Collection> => {
    const body = { name: 'Bird people', account_ids: [bob.id] };
    return (await acts.act<{ collection: Collection }>(alice, 'collections', body)).collection;
  };

  it('tell who was put into one, at once, with the collection', async () => {
    const stream = await listen(town.url, bob.token, 'user:notification');
    const { id } = await create();
    const [notification, ...more] = await acts.list(bob);
    expect(more).to.deep.equal([]);
    expect(inShort(notification ? [notification] : [])).to.deep.equal(['added_to_collection alice']);
    expect(notification?.group_key).to.equal(`ungrouped-${notification?.id}`);
    expect(notification?.collection).to.deep.include({ id, name: 'Bird people', account_id: alice.id });
    const heard = await stream.next();
    expect(heard.payload).to.deep.equal(notification);
    stream.socket.close();

    const path = `/api/v2/notifications/ungrouped-${notification?.id}`;
    const { notification_groups } = await acts.ok(bob.get<GroupedNotifications>(path));
    expect(notification_groups[0]?.collection).to.deep.equal(notification?.collection);
    const found = async (query: string) => inShort(await acts.list(bob, query));
    expect(await found('types[]=added_to_collection')).to.have.length(1);
    expect(await found('exclude_types[]=added_to_collection')).to.deep.equal([]);
    await acts.ok(alice.delete(`/api/v1/collections/${id}`));
    expect(await acts.list(bob)).to.deep.equal([]);
  });

  it('go with the place in it, and are none from whom one blocks', async () => {
    const { id, items } = await create();
    await acts.ok(bob.post(`/api/v1/collections/${id}/items/${items[0]?.id}/revoke`));
    expect(await acts.list(bob)).to.deep.equal([]);
    await create();
    await acts.act(bob, `accounts/${alice.id}/block`);
    expect(await acts.list(bob)).to.deep.equal([]);
    await acts.act(bob, `accounts/${alice.id}/unblock`);
    const [notification] = await acts.list(bob);
    const one = await acts.ok(bob.get<Notification>(`/api/v1/notifications/${notification?.id}`));
    expect(one.type).to.equal('added_to_collection');
  });
});
