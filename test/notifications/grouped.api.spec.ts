import { expect } from 'chai';
import { timeOfId } from '#kernel/ids.ts';
import type {
  Account,
  GroupedNotifications,
  Marker,
  Notification,
  NotificationGroup,
  Status,
} from '#mastodon/schemas/index.ts';
import { type Answer, describeTown, type Person } from '../support/people.ts';
import { actsOf } from './support.ts';

describeTown('Grouped notifications over the API', (town) => {
  let acts: ReturnType<typeof actsOf>;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let dave: Person;
  let mine: Status;
  let other: Status;
  before(async function () {
    this.timeout(120_000);
    acts = actsOf(town);
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
    dave = await town.person('dave');
  });
  beforeEach(async () => {
    await acts.act(alice, 'notifications/clear');
    mine = await acts.post(alice, { status: 'hello' });
    other = await acts.post(alice, { status: 'another' });
  });

  const read = (query = '', path = ''): Promise<GroupedNotifications> =>
    acts.ok(alice.get<GroupedNotifications>(`/api/v2/notifications${path}?${query}`));
  const groups = async (query = ''): Promise<NotificationGroup[]> => (await read(query)).notification_groups;
  const inShort = (found: readonly NotificationGroup[]): string[] =>
    found.map(({ type, notifications_count }) => `${type} ${notifications_count}`);
  const idsOf = (people: readonly Person[]): string[] => people.map(({ id }) => id);

  it('group similar notifications, and include each account and status once', async () => {
    for (const person of [bob, carol, dave]) await acts.favourite(person, mine.id);
    await acts.favourite(bob, other.id);
    await acts.act(bob, `statuses/${mine.id}/reblog`);
    const mention = await acts.post(carol, { status: '@alice you' });
    const single = await acts.ok(alice.get<Notification[]>('/api/v1/notifications'));
    const { accounts, statuses, notification_groups: found } = await read();
    expect(inShort(found)).to.deep.equal(['mention 1', 'reblog 1', 'favourite 1', 'favourite 3']);
    const named = new Set(found.flatMap((group) => group.sample_account_ids));
    expect(
      accounts.map(({ id }) => id),
      'in the order in which groups name them',
    ).to.deep.equal([...named]);
    expect([...named]).to.have.members(idsOf([bob, carol, dave]));
    expect(statuses.map(({ id }) => id)).to.have.members([mine.id, other.id, mention.id]);
    const [newest, , , favourites] = found;
    expect(newest).to.include({ group_key: `ungrouped-${mention.id}`, status_id: mention.id });
    const members = single.filter(({ group_key }) => group_key === favourites?.group_key);
    expect(favourites).to.deep.include({
      sample_account_ids: idsOf([dave, carol, bob]),
      status_id: mine.id,
      notifications_count: 3,
      most_recent_notification_id: Number(members[0]?.id),
      page_max_id: members[0]?.id,
      page_min_id: members[2]?.id,
      latest_page_notification_at: members[0]?.created_at,
    });
    const hour = Math.floor(timeOfId(members[2]?.id ?? '0') / 3_600_000);
    expect(favourites?.group_key).to.equal(`favourite-${mine.id}-${hour}`);
  });

  it('contain the newest id as a number with all its digits, which iOS apps read', async () => {
    const headers = { Authorization: `Bearer ${alice.token}` };
    let rounded = 0;
    // JavaScript keeps one id in 16 of this size exact; of six ids, at least one differs after rounding.
    for (let count = 0; count < 6; count += 1) {
      await acts.post(bob, { status: '@alice you' });
      const text = await (await fetch(`${town.url}/api/v2/notifications`, { headers })).text();
      const [group] = await groups();
      expect(text).to.include(`"most_recent_notification_id":${group?.page_max_id},`);
      if (String(Number(group?.page_max_id)) !== group?.page_max_id) rounded += 1;
    }
    expect(rounded, 'ids that JavaScript rounds').to.be.greaterThan(0);
  });

  it('accept that number as JavaScript rounds it, from a web app that continues there', async () => {
    for (let count = 0; count < 6; count += 1) {
      const exact = (await acts.post(bob, { status: '@alice again' })).id;
      const [newest] = await groups();
      const rounded = String(newest?.most_recent_notification_id);
      expect(newest?.page_max_id).to.equal(exact);
      for (const version of ['v1', 'v2']) {
        const path = `/api/${version}/notifications`;
        const after = await acts.ok(alice.get<object>(`${path}?since_id=${rounded}`));
        expect(JSON.stringify(after), path).not.to.include(exact);
        const before = await acts.ok(alice.get<object>(`${path}?max_id=${rounded}`));
        expect(JSON.stringify(before), path).not.to.include(`"id":"${exact}","type"`);
      }
      const body = { notifications: { last_read_id: rounded } };
      const markers = await acts.ok(alice.post<{ notifications: Marker }>('/api/v1/markers', body));
      expect(markers.notifications.last_read_id).to.equal(exact);
    }
    const far = { notifications: { last_read_id: '115500000000000020' } };
    const markers = await acts.ok(alice.post<{ notifications: Marker }>('/api/v1/markers', far));
    expect(markers.notifications.last_read_id).to.equal('115500000000000020');
  });

  it('group follows with all followers', async () => {
    await acts.follow(bob, alice);
    await acts.follow(carol, alice);
    const [follows, ...others] = await groups();
    expect(others).to.deep.equal([]);
    expect(follows).to.deep.include({
      type: 'follow',
      notifications_count: 2,
      sample_account_ids: idsOf([carol, bob]),
    });
    expect(follows).not.to.have.property('status_id');
    await acts.act(carol, `accounts/${alice.id}/unfollow`);
    expect(inShort(await groups())).to.deep.equal(['follow 1']);
    await acts.act(bob, `accounts/${alice.id}/unfollow`);
    expect(await groups()).to.deep.equal([]);
  });

  it('group only types that the client declares', async () => {
    for (const person of [bob, carol]) {
      await acts.favourite(person, mine.id);
      await acts.act(person, `statuses/${mine.id}/reblog`);
    }
    expect(inShort(await groups())).to.deep.equal(['reblog 2', 'favourite 2']);
    const found = await groups('grouped_types[]=favourite&grouped_types[]=mention');
    expect(inShort(found)).to.deep.equal(['reblog 1', 'favourite 2', 'reblog 1']);
    const [alone] = found;
    expect(alone?.group_key).to.equal(`ungrouped-${alone?.page_max_id}`);
    const { notification_groups: shown } = await read('', `/${alone?.group_key}`);
    expect(shown[0]).to.deep.include({ group_key: alone?.group_key, sample_account_ids: [carol.id] });
  });

  it('include most accounts as avatars only on request', async () => {
    for (const person of [bob, carol]) await acts.favourite(person, mine.id);
    const found = await read('expand_accounts=partial_avatars');
    expect(found.accounts.map(({ id }) => id)).to.deep.equal([carol.id]);
    const whole = (await read()).accounts.find(({ id }) => id === bob.id);
    expect(found.partial_accounts).to.deep.equal([
      Object.fromEntries(
        Object.entries(whole ?? {}).filter(([name]) =>
          ['id', 'acct', 'url', 'avatar', 'avatar_static', 'locked', 'bot'].includes(name),
        ),
      ),
    ]);
    expect(await read()).not.to.have.property('partial_accounts');
    for (const value of ['some', '', 'FULL']) {
      const { status, json } = await alice.get(`/api/v2/notifications?expand_accounts=${value}`);
      const error = `Invalid value for 'expand_accounts': '${value}', allowed values are 'full' and 'partial_avatars'`;
      expect([status, json]).to.deep.equal([400, { error }]);
    }
  });

  it('are paged from either end, each group once', async () => {
    for (const person of [bob, carol]) {
      await acts.favourite(person, mine.id);
      await acts.favourite(person, other.id);
      await acts.act(person, `statuses/${mine.id}/reblog`);
      await acts.post(person, { status: '@alice you' });
    }
    const all = (await groups()).map(({ group_key }) => group_key);
    expect(all).to.have.length(5);
    const walk = async (start: string, rel: string): Promise<string[][]> => {
      const pages: string[][] = [];
      for (let query: string | undefined = start; query !== undefined;) {
        const page: Answer<GroupedNotifications> = await alice.get(`/api/v2/notifications?${query}`);
        const found = page.json.notification_groups;
        if (found.length > 0) pages.push(found.map(({ group_key }) => group_key));
        query = page.links[rel];
      }
      return pages;
    };
    for (const limit of [1, 2, 3]) {
      expect((await walk(`limit=${limit}`, 'next')).flat(), `limit ${limit}`).to.deep.equal(all);
      const back = await walk(`limit=${limit}&min_id=0`, 'prev');
      expect(back.reverse().flat(), `limit ${limit} from the end`).to.deep.equal(all);
    }
  });

  it('tell a client that requests newer ones how far each group was on its page', async () => {
    await acts.favourite(bob, mine.id);
    const [before] = await groups();
    await acts.favourite(carol, mine.id);
    const since = before?.page_max_id;
    const [after, ...others] = await groups(`since_id=${since}`);
    expect(others).to.deep.equal([]);
    expect(after).to.include({ group_key: before?.group_key, notifications_count: 2 });
    expect(after?.page_min_id).to.equal(after?.page_max_id).and.not.to.equal(since);
  });

  it('list all accounts of a group by its key', async () => {
    for (const person of [bob, carol, dave]) await acts.favourite(person, mine.id);
    const [{ page_min_id, page_max_id, latest_page_notification_at, ...group } = {} as NotificationGroup] =
      await groups();
    expect([page_min_id, page_max_id, latest_page_notification_at]).not.to.include(undefined);
    const shown = await read('', `/${group.group_key}`);
    expect(shown.notification_groups).to.deep.equal([group]);
    expect(shown.statuses.map(({ id }) => id)).to.deep.equal([mine.id]);
    const path = `/api/v2/notifications/${group.group_key}/accounts`;
    const first = await alice.get<Account[]>(`${path}?limit=2`);
    expect(first.json.map(({ id }) => id)).to.deep.equal(idsOf([dave, carol]));
    const second = await alice.get<Account[]>(`${path}?${first.links['next']}`);
    expect(second.json.map(({ id }) => id)).to.deep.equal([bob.id]);
    const mention = await acts.post(bob, { status: '@alice' });
    const one = await alice.get<Account[]>(`/api/v2/notifications/ungrouped-${mention.id}/accounts`);
    expect(one.json.map(({ id }) => id)).to.deep.equal([bob.id]);
    const strange = [
      `favourite-${other.id}-489552`,
      'ungrouped-1',
      'x',
      'follow-1',
      'favourite-1-99999999',
      `follow-${'9'.repeat(60)}`,
    ];
    for (const key of strange) {
      const { status, json } = await alice.get(`/api/v2/notifications/${key}`);
      expect([status, json], key).to.deep.equal([404, { error: 'Record not found' }]);
      expect(await acts.ok(alice.get(`/api/v2/notifications/${key}/accounts`)), key).to.deep.equal([]);
    }
    expect((await bob.get(`/api/v2/notifications/${group.group_key}`)).status).to.equal(404);
  });

  it('are dismissed as a whole, and start again with later notifications', async () => {
    await acts.favourite(bob, mine.id);
    await acts.favourite(carol, mine.id);
    await acts.favourite(bob, other.id);
    const [kept, gone] = await groups();
    const dismiss = (key: string | undefined) => acts.ok(alice.post(`/api/v2/notifications/${key}/dismiss`));
    expect(await dismiss(gone?.group_key)).to.deep.equal({});
    expect(await groups()).to.deep.equal([kept]);
    const before = await town.events();
    await dismiss(gone?.group_key);
    await dismiss('x');
    expect(await town.events()).to.equal(before);
    await acts.favourite(dave, mine.id);
    expect((await groups())[0]).to.deep.include({
      group_key: gone?.group_key,
      sample_account_ids: [dave.id],
    });
    await dismiss(gone?.group_key);
    const mention = await acts.post(bob, { status: '@alice' });
    await dismiss(`ungrouped-${mention.id}`);
    expect(await groups()).to.deep.equal([kept]);
  });

  it('leave out blocked accounts, and disappear without any account', async () => {
    await acts.favourite(bob, mine.id);
    await acts.favourite(carol, mine.id);
    await acts.act(alice, `accounts/${carol.id}/block`);
    const found = await read();
    expect(found.accounts.map(({ id }) => id)).to.deep.equal([bob.id]);
    expect(found.notification_groups[0]).to.deep.include({
      notifications_count: 1,
      sample_account_ids: [bob.id],
    });
    const key = found.notification_groups[0]?.group_key;
    const accounts = await alice.get<Account[]>(`/api/v2/notifications/${key}/accounts`);
    expect(accounts.json.map(({ id }) => id)).to.deep.equal([bob.id]);
    await acts.act(alice, `accounts/${bob.id}/mute`);
    expect(await read()).to.deep.equal({ accounts: [], statuses: [], notification_groups: [] });
    expect((await alice.get(`/api/v2/notifications/${key}`)).status).to.equal(404);
    await acts.act(alice, `accounts/${carol.id}/unblock`);
    await acts.act(alice, `accounts/${bob.id}/unmute`);
    expect(inShort(await groups())).to.deep.equal(['favourite 2']);
  });

  it('are selected and counted like single ones', async () => {
    const count = async (query = ''): Promise<number> =>
      (await acts.ok(alice.get<{ count: number }>(`/api/v2/notifications/unread_count?${query}`))).count;
    for (const person of [bob, carol]) await acts.favourite(person, mine.id);
    await acts.post(bob, { status: '@alice' });
    expect(await count()).to.equal(2);
    expect(await count('limit=1')).to.equal(1);
    expect(await count('grouped_types[]=follow')).to.equal(3);
    expect(await count('types[]=favourite')).to.equal(1);
    expect(await count(`account_id=${carol.id}`)).to.equal(1);
    expect(inShort(await groups(`account_id=${bob.id}`))).to.deep.equal(['mention 1', 'favourite 1']);
    expect(inShort(await groups('exclude_types[]=mention'))).to.deep.equal(['favourite 2']);
    expect(await groups('account_id=1')).to.deep.equal([]);
    const [newest] = await groups();
    const last_read_id = newest?.page_max_id;
    await acts.ok(alice.post('/api/v1/markers', { notifications: { last_read_id } }));
    expect(await count()).to.equal(0);
    await acts.favourite(dave, mine.id);
    expect(await count()).to.equal(1);
  });
});
