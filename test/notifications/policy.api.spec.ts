import { expect } from 'chai';
import type {
  NotificationPolicy,
  NotificationRequest,
  V1NotificationPolicy,
} from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { actsOf, inShort } from './support.ts';

const DEFAULTS = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
};

describeTown('Filtering notifications over the API', (town) => {
  let acts: ReturnType<typeof actsOf>;
  let alice: Person;
  /** New accounts for each spec: an account that was accepted once is never filtered again. */
  let bob: Person;
  let carol: Person;
  let people = 0;
  before(async function () {
    this.timeout(120_000);
    acts = actsOf(town);
    alice = await town.person('alice');
  });
  beforeEach(async () => {
    people += 1;
    bob = await town.person(`bob${people}`);
    carol = await town.person(`carol${people}`);
    await acts.act(alice, 'notifications/clear');
    await change({ ...DEFAULTS });
  });

  const policy = (): Promise<NotificationPolicy> => acts.ok(alice.get('/api/v2/notifications/policy'));
  const change = (body: object): Promise<NotificationPolicy> =>
    acts.ok(alice.patch('/api/v2/notifications/policy', body));
  const requests = (query = ''): Promise<NotificationRequest[]> =>
    acts.ok(alice.get(`/api/v1/notifications/requests?${query}`));
  const told = async (query = ''): Promise<string[]> => inShort(await acts.list(alice, query));
  const answer = (path: string, body?: object): Promise<unknown> =>
    acts.act(alice, `notifications/requests/${path}`, body);

  it('starts with a policy that filters private mentions of strangers only', async () => {
    const summary = { pending_requests_count: 0, pending_notifications_count: 0 };
    const dave = await town.person('dave');
    const { json } = await dave.get('/api/v2/notifications/policy');
    expect(json).to.deep.equal({ ...DEFAULTS, summary });
    expect(await policy()).to.deep.equal({ ...DEFAULTS, summary });
  });

  it('changes the given settings, as one event, and stores none without a change', async () => {
    const changed = await change({ for_not_following: 'filter', for_new_accounts: 'drop' });
    expect(changed).to.include({ ...DEFAULTS, for_not_following: 'filter', for_new_accounts: 'drop' });
    expect(await policy()).to.deep.equal(changed);
    const before = await town.events();
    await change({ for_not_following: 'filter' });
    await change({});
    expect(await town.events()).to.equal(before);
    for (const body of [{ for_not_following: 'maybe' }, { for_new_accounts: 1 }]) {
      expect((await alice.patch('/api/v2/notifications/policy', body)).status, JSON.stringify(body)).to.equal(
        422,
      );
    }
    expect(await town.events()).to.equal(before);
    expect(
      (await alice.patch('/api/v2/notifications/policy', new URLSearchParams({ for_new_accounts: 'accept' })))
        .status,
    ).to.equal(200);
    expect(await policy()).to.include({ for_new_accounts: 'accept', for_not_following: 'filter' });
  });

  it('accepts PUT as well, and the first version with two verdicts', async () => {
    const path = '/api/v1/notifications/policy';
    expect((await alice.put('/api/v2/notifications/policy', { for_new_accounts: 'drop' })).status).to.equal(
      200,
    );
    const old = await acts.ok(alice.get<V1NotificationPolicy>(path));
    const { summary } = await policy();
    expect(old).to.deep.equal({
      filter_not_following: false,
      filter_not_followers: false,
      filter_new_accounts: true,
      filter_private_mentions: true,
      filter_bots: false,
      summary,
    });
    // Sends all members that it received and one changed member, as Mastodon for Android does.
    const changed = await acts.ok(alice.put(path, { ...old, filter_not_following: true }));
    expect(changed).to.deep.equal({ ...old, filter_not_following: true });
    expect(await policy()).to.include({ for_not_following: 'filter', for_new_accounts: 'drop' });
    const before = await town.events();
    await acts.ok(alice.patch(path, { filter_new_accounts: 'true', filter_not_following: true }));
    expect(await town.events()).to.equal(before);
    const form = new URLSearchParams({ filter_new_accounts: 'false', filter_private_mentions: '0' });
    await acts.ok(alice.patch(path, form));
    expect(await policy()).to.include({ for_new_accounts: 'accept', for_private_mentions: 'accept' });
    await acts.ok(alice.patch(path, { filter_new_accounts: 'maybe' }));
    expect(await policy()).to.include({ for_new_accounts: 'filter' });
  });

  it('filters notifications of strangers into one request each', async () => {
    await change({ for_not_following: 'filter' });
    const mine = await acts.post(alice, { status: 'hello' });
    const first = await acts.post(bob, { status: '@alice one' });
    const last = await acts.post(bob, { status: '@alice two' });
    await acts.favourite(carol, mine.id);
    expect(await told()).to.deep.equal([]);
    expect(await told('include_filtered=true')).to.deep.equal([
      `favourite ${carol.username}`,
      `mention ${bob.username}`,
      `mention ${bob.username}`,
    ]);
    const { json: unread } = await alice.get('/api/v1/notifications/unread_count');
    expect(unread).to.deep.equal({ count: 0 });
    const { json: groups } = await alice.get<object>('/api/v2/notifications');
    expect(groups).to.deep.equal({ accounts: [], statuses: [], notification_groups: [] });
    const [ofCarol, ofBob, ...others] = await requests();
    expect(others).to.deep.equal([]);
    expect(ofCarol?.account.id).to.equal(carol.id);
    expect(ofBob).to.include({
      id: first.id,
      created_at: first.created_at,
      updated_at: last.created_at,
      notifications_count: '2',
    });
    expect(ofBob?.account.id).to.equal(bob.id);
    expect(ofBob?.last_status?.id).to.equal(last.id);
    expect((await alice.get(`/api/v1/notifications/requests/${first.id}`)).json).to.deep.equal(ofBob);
    expect((await policy()).summary).to.deep.equal({
      pending_requests_count: 2,
      pending_notifications_count: 3,
    });
    expect((await bob.get(`/api/v1/notifications/requests/${first.id}`)).status).to.equal(404);
    expect((await alice.get('/api/v1/notifications/requests/1')).status).to.equal(404);
  });

  it('keeps no dropped notification, and does not restore it', async () => {
    await change({ for_not_following: 'drop' });
    await acts.post(bob, { status: '@alice you' });
    await change({ for_not_following: 'accept' });
    expect(await told('include_filtered=true')).to.deep.equal([]);
    expect(await requests()).to.deep.equal([]);
  });

  it('lets followed accounts and followers pass', async () => {
    await change({ for_not_following: 'filter' });
    await acts.follow(alice, bob);
    await acts.post(bob, { status: '@alice you' });
    expect(await told()).to.deep.equal([`mention ${bob.username}`]);
    await change({ ...DEFAULTS, for_not_followers: 'filter' });
    await acts.follow(carol, alice);
    await acts.post(carol, { status: '@alice you' });
    await acts.post(bob, { status: '@alice you' });
    expect((await told()).slice(0, 2)).to.deep.equal([
      `mention ${carol.username}`,
      `follow ${carol.username}`,
    ]);
    expect((await requests()).map(({ account }) => account.id)).to.deep.equal([bob.id]);
  });

  it('filters new accounts, also followed ones', async () => {
    await change({ for_new_accounts: 'filter' });
    await acts.follow(alice, bob);
    await acts.post(bob, { status: '@alice you' });
    expect(await told()).to.deep.equal([]);
    expect(await requests()).to.have.length(1);
  });

  it('filters bots that are not followed, by their profile at that time', async () => {
    const bot = (who: Person, is: boolean) =>
      acts.ok(who.patch('/api/v1/accounts/update_credentials', { bot: is }));
    await bot(bob, true);
    expect((await change({ for_bots: 'filter' })).for_bots).to.equal('filter');
    await acts.post(bob, { status: '@alice beep' });
    await acts.post(carol, { status: '@alice hello' });
    expect(await told()).to.deep.equal([`mention ${carol.username}`]);
    expect((await requests()).map(({ account }) => account.id)).to.deep.equal([bob.id]);
    await change({ for_bots: 'drop' });
    await acts.follow(alice, bob);
    await acts.post(bob, { status: '@alice followed' });
    await bot(carol, true);
    await acts.post(carol, { status: '@alice dropped' });
    await bot(carol, false);
    await acts.post(carol, { status: '@alice no bot' });
    expect(await told()).to.deep.equal([
      `mention ${carol.username}`,
      `mention ${bob.username}`,
      `mention ${carol.username}`,
    ]);
    const v1 = '/api/v1/notifications/policy';
    expect(await acts.ok(alice.get(v1))).to.include({ filter_bots: true });
    await acts.ok(alice.patch(v1, { filter_bots: false }));
    expect(await policy()).to.include({ for_bots: 'accept' });
  });

  it("filters private mentions, but not replies to the viewer's own", async () => {
    const asked = await acts.post(bob, { status: '@alice psst', visibility: 'direct' });
    expect(await told()).to.deep.equal([]);
    const [request] = await requests();
    expect(request?.last_status?.id).to.equal(asked.id);
    const mine = await acts.post(alice, { status: `@${carol.username} hello`, visibility: 'direct' });
    await acts.post(carol, { status: '@alice hi', visibility: 'direct', in_reply_to_id: mine.id });
    expect(await told()).to.deep.equal([`mention ${carol.username}`]);
    await acts.post(bob, { status: '@alice in public' });
    expect((await told())[0]).to.equal(`mention ${bob.username}`);
  });

  it('shows an accepted request, and lets that account pass from then on', async () => {
    await change({ for_not_following: 'filter', for_new_accounts: 'drop' });
    await change({ for_new_accounts: 'accept' });
    const first = await acts.post(bob, { status: '@alice one' });
    const [request] = await requests();
    expect(await answer(`${request?.id}/accept`)).to.deep.equal({});
    const merged = await acts.ok(alice.get('/api/v1/notifications/requests/merged'));
    expect(merged).to.deep.equal({ merged: true });
    expect((await acts.list(alice)).map(({ id }) => id)).to.deep.equal([first.id]);
    expect(await requests()).to.deep.equal([]);
    await change({ for_not_following: 'drop' });
    await acts.post(bob, { status: '@alice two' });
    expect(await told()).to.have.length(2);
    expect((await alice.post(`/api/v1/notifications/requests/${request?.id}/accept`)).status).to.equal(404);
  });

  it('forgets a dismissed request; later notifications form another one', async () => {
    await change({ for_not_following: 'filter' });
    await acts.post(bob, { status: '@alice one' });
    const [request] = await requests();
    expect(await answer(`${request?.id}/dismiss`)).to.deep.equal({});
    expect(await requests()).to.deep.equal([]);
    expect(await told('include_filtered=true')).to.deep.equal([]);
    expect((await alice.get(`/api/v1/notifications/requests/${request?.id}`)).status).to.equal(404);
    const second = await acts.post(bob, { status: '@alice two' });
    expect((await requests()).map(({ id, notifications_count }) => [id, notifications_count])).to.deep.equal([
      [second.id, '1'],
    ]);
  });

  it('answers several requests at once, and ignores ids of none', async () => {
    await change({ for_not_following: 'filter' });
    const of = async (person: Person): Promise<string> =>
      (await acts.post(person, { status: '@alice you' })).id;
    const dora = await town.person(`dora${people}`);
    const ids = [await of(bob), await of(carol), await of(dora)];
    await answer('accept', { id: [ids[0], ids[1], '1', 'x'] });
    expect(await told()).to.have.members([`mention ${bob.username}`, `mention ${carol.username}`]);
    expect((await requests()).map(({ id }) => id)).to.deep.equal([ids[2]]);
    await answer('dismiss', new URLSearchParams([['id[]', ids[2] ?? '']]));
    expect(await requests()).to.deep.equal([]);
    expect(await told('include_filtered=true')).to.have.length(2);
    const before = await town.events();
    await answer('dismiss', { id: ids });
    await answer('accept', {});
    expect(await town.events()).to.equal(before);
  });

  it('lists requests page by page', async () => {
    await change({ for_not_following: 'filter' });
    const dora = await town.person(`dora${people}`);
    const ids: string[] = [];
    for (const person of [bob, carol, dora])
      ids.unshift((await acts.post(person, { status: '@alice you' })).id);
    const first = await alice.get<NotificationRequest[]>('/api/v1/notifications/requests?limit=2');
    const second = await alice.get<NotificationRequest[]>(
      `/api/v1/notifications/requests?${first.links['next']}`,
    );
    expect([...first.json, ...second.json].map(({ id }) => id)).to.deep.equal(ids);
    const back = await alice.get<NotificationRequest[]>(
      `/api/v1/notifications/requests?${second.links['prev']}`,
    );
    expect(back.json).to.deep.equal(first.json);
  });

  it('shows no request of blocked accounts or with deleted posts only', async () => {
    await change({ for_not_following: 'filter' });
    await acts.post(bob, { status: '@alice you' });
    const gone = await acts.post(carol, { status: '@alice you' });
    await acts.ok(carol.delete(`/api/v1/statuses/${gone.id}`));
    expect((await requests()).map(({ account }) => account.id)).to.deep.equal([bob.id]);
    await acts.act(alice, `accounts/${bob.id}/block`);
    expect(await requests()).to.deep.equal([]);
    expect((await policy()).summary).to.deep.equal({
      pending_requests_count: 0,
      pending_notifications_count: 0,
    });
    await acts.act(alice, `accounts/${bob.id}/unblock`);
    expect(await requests()).to.have.length(1);
  });

  it('needs the right scopes', async () => {
    const reader = await alice.withScopes('read:notifications');
    expect((await reader.get('/api/v2/notifications/policy')).status).to.equal(200);
    expect((await reader.patch('/api/v2/notifications/policy', {})).status).to.equal(403);
    expect((await reader.post('/api/v1/notifications/requests/accept', {})).status).to.equal(403);
    expect((await town.nobody.get('/api/v1/notifications/requests')).status).to.equal(401);
    expect((await town.nobody.get('/api/v2/notifications/policy')).status).to.equal(401);
  });
});
