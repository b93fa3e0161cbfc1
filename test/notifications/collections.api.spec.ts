import { expect } from 'chai';
import type { Collection, GroupedNotifications, Notification } from '#mastodon/schemas/index.ts';
import { listen } from '../streaming/support.ts';
import { describeTown, type Person } from '../support/people.ts';
import { actsOf, inShort } from './support.ts';

describeTown('Notifications of collections', function (town) {
  this.timeout(60_000);
  let acts: ReturnType<typeof actsOf>;
  let alice: Person;
  let bob: Person;
  before(async () => {
    acts = actsOf(town);
    alice = await town.person('alice');
    bob = await town.person('bob', { discoverable: true });
  });

  const create = async (): Promise<Collection> => {
    const body = { name: 'Bird people', account_ids: [bob.id] };
    return (await acts.act<{ collection: Collection }>(alice, 'collections', body)).collection;
  };

  it('tell an account that it was added, at once, with the collection', async () => {
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

  it('tell members of a new name or description, once for the last change', async () => {
    const { id, items } = await create();
    const path = `/api/v1/collections/${id}`;
    await acts.ok(alice.patch(path, { sensitive: true }));
    expect(inShort(await acts.list(bob))).to.deep.equal(['added_to_collection alice']);
    const stream = await listen(town.url, bob.token, 'user:notification');
    await acts.ok(alice.patch(path, { name: 'Birds' }));
    await acts.ok(alice.patch(path, { description: 'Who knows them' }));
    const [update, added, ...more] = await acts.list(bob);
    expect(inShort(update ? [update] : [])).to.deep.equal(['collection_update alice']);
    expect([added?.type, more]).to.deep.equal(['added_to_collection', []]);
    expect(update?.collection).to.deep.include({ id, name: 'Birds', description: 'Who knows them' });
    await stream.next();
    expect((await stream.next()).payload).to.deep.equal(update);
    stream.socket.close();
    const only = await acts.list(bob, 'types[]=collection_update');
    expect(only).to.deep.equal([update]);
    const key = `/api/v2/notifications/${update?.group_key}`;
    const { notification_groups } = await acts.ok(bob.get<GroupedNotifications>(key));
    expect(notification_groups[0]?.collection).to.deep.equal(update?.collection);
    expect(await acts.list(alice)).to.deep.equal([]);

    await acts.ok(bob.patch('/api/v2/notifications/policy', { for_not_following: 'drop' }));
    await acts.ok(alice.patch(path, { name: 'Rooks' }));
    expect(inShort(await acts.list(bob))).to.deep.equal(['added_to_collection alice']);
    await acts.ok(bob.patch('/api/v2/notifications/policy', { for_not_following: 'accept' }));
    await acts.ok(alice.patch(path, { name: 'Crows' }));
    expect(await acts.list(bob)).to.have.length(2);
    await acts.ok(bob.post(`${path}/items/${items[0]?.id}/revoke`));
    expect(await acts.list(bob)).to.deep.equal([]);
    await acts.ok(alice.delete(path));
  });

  it('have a fallback text for an app that declares no support', async () => {
    const { id } = await create();
    const fallbackOf = async (query: string): Promise<unknown> =>
      (await acts.list(bob, query)).map(({ fallback }) => fallback);
    const fallback = {
      title: `<a href="https://rookery.example/@alice">alice</a> added you to a collection`,
      summary: 'Your app does not know this kind of notification. An app for Mastodon 4.6 shows more of it.',
      details: null,
    };
    expect(await fallbackOf('')).to.deep.equal([undefined]);
    expect(await fallbackOf('supported_types[]=added_to_collection')).to.deep.equal([undefined]);
    expect(await fallbackOf('supported_types[]=mention')).to.deep.equal([fallback]);
    expect(await fallbackOf('supported_types[]=')).to.deep.equal([fallback]);
    await acts.follow(alice, bob);
    expect(await fallbackOf('supported_types[]=mention&types[]=follow')).to.deep.equal([undefined]);
    const [{ id: one } = { id: '' }] = await acts.list(bob, 'types[]=added_to_collection');
    const known = 'supported_types[]=follow';
    const single = await acts.ok(bob.get<Notification>(`/api/v1/notifications/${one}?${known}`));
    expect(single.fallback).to.deep.equal(fallback);
    for (const path of [`?${known}`, `/ungrouped-${one}?${known}`]) {
      const { notification_groups } = await acts.ok(
        bob.get<GroupedNotifications>(`/api/v2/notifications${path}`),
      );
      const found = notification_groups.find(({ type }) => type === 'added_to_collection');
      expect(found?.fallback, path).to.deep.equal(fallback);
    }
    await acts.act(alice, `accounts/${bob.id}/unfollow`);
    await acts.ok(alice.delete(`/api/v1/collections/${id}`));
  });

  it('count equal changes, and show no text of others', async () => {
    const staff = await town.staff('mod', 'Moderator');
    await town.person('zoe');
    await town.person('mallory', { display_name: '<b>"M"' });
    const path = '/api/v2/notifications?types[]=admin.sign_up&supported_types[]=mention';
    const { notification_groups } = await acts.ok(staff.get<GroupedNotifications>(path));
    const [group] = notification_groups;
    expect(group?.notifications_count).to.equal(2);
    expect(group?.fallback?.title).to.equal(
      '<a href="https://rookery.example/@mallory">&lt;b&gt;&quot;M&quot;</a> and one other signed up',
    );
  });

  it('disappear with the membership, and are absent for blocked owners', async () => {
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
