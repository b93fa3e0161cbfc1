import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { StatusEdited } from '#events/statuses.ts';
import type { Account, Notification, Poll, Status } from '#mastodon/schemas/index.ts';
import { notifications } from '#projections/notifications/index.ts';
import { rebuild } from '#storage/postgres/rebuild/rebuild.ts';
import { type Answer, type Client, describeTown, type Person, type Town } from '../support/people.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';
import { actsOf, inShort } from './support.ts';

describeTown('Notifications over the API', (town) => {
  let acts: ReturnType<typeof actsOf>;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  before(async function () {
    this.timeout(120_000);
    acts = actsOf(town);
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
  });
  beforeEach(async () => {
    for (const person of [alice, bob, carol]) await acts.act(person, 'notifications/clear');
  });

  const { list, post, act, follow, favourite } = {
    list: (who: Client, query?: string) => acts.list(who, query),
    post: (who: Client, body: object) => acts.post(who, body),
    act: (who: Client, path: string, body?: object) => acts.act(who, path, body),
    follow: (who: Client, whom: Person, body?: object) => acts.follow(who, whom, body),
    favourite: (who: Client, id: string) => acts.favourite(who, id),
  };
  /** The members of an edited post that these specs read. */
  const edit = async (by: Person, { id }: Status, conversation = id): Promise<string> => {
    const edit_id = town.app.systemContext('spec').newId();
    const sample = StatusEdited.samples[1] as object;
    await acts.happen({
      type: 'StatusEdited',
      data: { ...sample, id, account_id: by.id, conversation_id: conversation, poll: null, edit_id } as never,
    });
    return edit_id;
  };

  it('include mentions, favourites, reblogs, follows and quotes, with their subjects', async () => {
    const mine = await post(alice, { status: 'hello' });
    const theirs = await post(bob, { status: 'hi @alice' });
    await favourite(carol, mine.id);
    const reblog = (await act(bob, `statuses/${mine.id}/reblog`)) as Status;
    await follow(carol, alice);
    const quote = await post(carol, { status: 'look', quoted_status_id: mine.id });
    const found = await list(alice);
    expect(inShort(found)).to.deep.equal([
      'quote carol',
      'follow carol',
      'reblog bob',
      'favourite carol',
      'mention bob',
    ]);
    const [quoted, followed, reblogged, favourited, mentioned] = found;
    expect(quoted?.status?.id).to.equal(quote.id);
    expect(quoted?.status?.quote?.state).to.equal('accepted');
    expect(followed).not.to.have.property('status');
    expect(reblogged).to.include({ id: reblog.id });
    expect(reblogged?.status).to.include({ id: mine.id, reblogs_count: 1 });
    expect(favourited?.status?.id).to.equal(mine.id);
    expect(mentioned).to.include({ id: theirs.id, group_key: `ungrouped-${theirs.id}` });
    expect(mentioned?.created_at).to.equal(theirs.created_at);
    expect(inShort(await list(bob))).to.deep.equal([]);
    await act(carol, `accounts/${alice.id}/unfollow`);
  });

  it('tell followers with notifications enabled about new posts', async () => {
    await follow(alice, bob, { notify: true });
    await follow(carol, bob);
    const posted = await post(bob, { status: 'news' });
    await post(bob, { status: 'an answer', in_reply_to_id: (await post(alice, { status: 'q' })).id });
    const secret = await post(bob, { status: 'for followers', visibility: 'private' });
    expect((await list(alice)).map(({ type, id }) => [type, id])).to.deep.equal([
      ['status', secret.id],
      ['status', posted.id],
    ]);
    expect(inShort(await list(carol))).to.deep.equal([]);
    await follow(alice, bob, { notify: false });
    await post(bob, { status: 'more' });
    expect(await list(alice)).to.have.length(2);
    await act(alice, `accounts/${bob.id}/unfollow`);
    // A post that became hidden does not appear here either.
    expect((await list(alice)).map(({ id }) => id)).to.deep.equal([posted.id]);
    await act(carol, `accounts/${bob.id}/unfollow`);
  });

  it('tell such a follower about both a post and its mention or quote', async () => {
    const mine = await post(alice, { status: 'quote me' });
    await follow(alice, bob, { notify: true });
    const mentioning = await post(bob, { status: 'hello @alice' });
    const quoting = await post(bob, { status: 'see', quoted_status_id: mine.id });
    const told = (await list(alice)).slice(0, 4);
    expect(told.map(({ type, status }) => [type, status?.id])).to.deep.equal([
      ['status', quoting.id],
      ['quote', quoting.id],
      ['status', mentioning.id],
      ['mention', mentioning.id],
    ]);
    for (const { id } of told) {
      const { status, json } = await alice.get<{ id: string }>(`/api/v1/notifications/${id}`);
      expect([status, json.id]).to.deep.equal([200, id]);
    }
    await act(alice, `accounts/${bob.id}/unfollow`);
  });

  it('tell about the last edit of a reblogged or quoted post', async () => {
    const mine = await post(alice, { status: 'first' });
    await act(bob, `statuses/${mine.id}/reblog`);
    const quote = await post(carol, { status: 'see', quoted_status_id: mine.id });
    await edit(alice, mine);
    const last = await edit(alice, mine);
    const [update, ...others] = await list(bob);
    expect(others).to.deep.equal([]);
    expect(update).to.deep.include({ type: 'update', id: last });
    expect(update?.status?.id).to.equal(mine.id);
    const [quoted] = await list(carol);
    expect(quoted).to.deep.include({ type: 'quoted_update', id: last });
    expect(quoted?.status?.id).to.equal(quote.id);
    expect(quoted?.account.id).to.equal(alice.id);
  });

  it('tell the author and the voters that a poll has ended', async () => {
    const poll = { options: ['a', 'b'], expires_in: 300 };
    const asked = await post(alice, { status: 'which?', poll });
    const { id: poll_id } = asked.poll as Poll;
    await act(bob, `polls/${poll_id}/votes`, { choices: [0] });
    const close_id = town.app.systemContext('spec').newId();
    await acts.happen({
      type: 'PollClosed',
      data: { id: asked.id, account_id: alice.id, poll_id, close_id, closed_at: '2026-11-21T08:00:00.000Z' },
    });
    for (const person of [alice, bob]) {
      const [ended, ...others] = await list(person);
      expect(others).to.deep.equal([]);
      expect(ended).to.include({ type: 'poll', id: close_id });
      expect(ended?.status?.poll?.id).to.equal(poll_id);
    }
    expect(await list(carol)).to.deep.equal([]);
  });

  it('tell about follow requests, which become follows', async () => {
    const shy = await town.person('shy', { locked: true });
    await follow(alice, shy);
    const [asked] = await list(shy);
    expect(asked).to.include({ type: 'follow_request' });
    await act(shy, `follow_requests/${alice.id}/authorize`);
    const [followed, ...others] = await list(shy);
    expect(followed).to.include({ type: 'follow', id: asked?.id });
    expect(others).to.deep.equal([]);
    await follow(bob, shy);
    await act(bob, `accounts/${shy.id}/unfollow`);
    expect(await list(shy)).to.have.length(1);
  });

  it('disappear when their cause is undone or deleted', async () => {
    const mine = await post(alice, { status: 'soon gone' });
    const other = await post(alice, { status: 'stays' });
    await favourite(bob, mine.id);
    await favourite(bob, other.id);
    await act(bob, `statuses/${other.id}/reblog`);
    await follow(bob, alice);
    const mentioning = await post(carol, { status: '@alice' });
    expect(await list(alice)).to.have.length(5);
    await act(bob, `statuses/${other.id}/unreblog`);
    await act(bob, `accounts/${alice.id}/unfollow`);
    await acts.ok(carol.delete(`/api/v1/statuses/${mentioning.id}`));
    await acts.ok(alice.delete(`/api/v1/statuses/${mine.id}`));
    expect(inShort(await list(alice))).to.deep.equal(['favourite bob']);
    await act(bob, `statuses/${other.id}/unfavourite`);
    expect(await list(alice)).to.deep.equal([]);
  });

  it('are selected by type and by account', async () => {
    const mine = await post(alice, { status: 'hello' });
    await favourite(bob, mine.id);
    await favourite(carol, mine.id);
    await post(bob, { status: '@alice you' });
    const short = async (query: string): Promise<string[]> => inShort(await list(alice, query));
    expect(await short('types[]=mention')).to.deep.equal(['mention bob']);
    expect(await short('types=favourite')).to.deep.equal(['mention bob', 'favourite carol', 'favourite bob']);
    expect(await short('types[]=favourite&types[]=mention&exclude_types[]=favourite')).to.deep.equal([
      'mention bob',
    ]);
    expect(await short('exclude_types[]=mention')).to.deep.equal(['favourite carol', 'favourite bob']);
    expect(await short('types[]=nonsense')).to.deep.equal([]);
    expect(await short(`account_id=${bob.id}`)).to.deep.equal(['mention bob', 'favourite bob']);
    expect(await short(`account_id=${bob.id}&types[]=favourite`)).to.deep.equal(['favourite bob']);
    for (const unknown of ['1', 'nobody', '99999999999999999999']) {
      expect(await short(`account_id=${unknown}`), unknown).to.deep.equal([]);
    }
  });

  it('are paged from either end, each once', async () => {
    const mine = await post(alice, { status: 'hello' });
    for (let n = 0; n < 5; n += 1) await post(bob, { status: `@alice ${n}` });
    await favourite(carol, mine.id);
    const all = (await list(alice)).map(({ id }) => id);
    expect(all).to.have.length(6);
    expect(all).to.deep.equal([...all].sort((a, b) => Number(BigInt(b) - BigInt(a))));
    const walk = async (start: string, rel: string): Promise<string[][]> => {
      const pages: string[][] = [];
      for (let query: string | undefined = start; query !== undefined;) {
        const page: Answer<Notification[]> = await alice.get(`/api/v1/notifications?${query}`);
        if (page.json.length > 0) pages.push(page.json.map(({ id }) => id));
        query = page.links[rel];
      }
      return pages;
    };
    expect((await walk('limit=4', 'next')).flat()).to.deep.equal(all);
    expect((await walk('limit=4&min_id=0', 'prev')).reverse().flat()).to.deep.equal(all);
    expect((await list(alice, `since_id=${all[2]}`)).map(({ id }) => id)).to.deep.equal(all.slice(0, 2));
    expect((await list(alice, `min_id=${all[5]}&limit=2`)).map(({ id }) => id)).to.deep.equal(
      all.slice(3, 5),
    );
    expect((await list(alice, `max_id=${all[1]}&min_id=${all[4]}`)).map(({ id }) => id)).to.deep.equal(
      all.slice(2, 4),
    );
    const { links } = await alice.get('/api/v1/notifications?limit=2&types[]=mention');
    expect(links['next']).to.include('types').and.to.include(`max_id=${all[2]}`);
  });

  it('are shown, dismissed and cleared one by one and all at once', async () => {
    await post(bob, { status: '@alice one' });
    await post(bob, { status: '@alice two' });
    const [second, first] = await list(alice);
    const shown = await alice.get<Notification>(`/api/v1/notifications/${first?.id}`);
    expect(shown.json).to.deep.equal(first);
    expect((await bob.get(`/api/v1/notifications/${first?.id}`)).status).to.equal(404);
    expect((await bob.post(`/api/v1/notifications/${first?.id}/dismiss`)).status).to.equal(404);
    const dismissed = await alice.post(`/api/v1/notifications/${first?.id}/dismiss`);
    expect([dismissed.status, dismissed.json]).to.deep.equal([200, {}]);
    // The reply to the author of the change shows it at once.
    expect((await alice.get<Notification[]>('/api/v1/notifications')).json).to.deep.equal([second]);
    for (const id of [first?.id, '1', 'x']) {
      expect((await alice.get(`/api/v1/notifications/${id}`)).status, id).to.equal(404);
      expect((await alice.post(`/api/v1/notifications/${id}/dismiss`)).status, id).to.equal(404);
    }
    const cleared = await alice.post('/api/v1/notifications/clear');
    expect([cleared.status, cleared.json]).to.deep.equal([200, {}]);
    expect((await alice.get('/api/v1/notifications')).json).to.deep.equal([]);
    const before = await town.events();
    await act(alice, 'notifications/clear');
    expect(await town.events()).to.equal(before);
    await post(bob, { status: '@alice three' });
    expect(await list(alice)).to.have.length(1);
    const grouped = await alice.post('/api/v2/notifications/clear');
    expect([grouped.status, grouped.json]).to.deep.equal([200, {}]);
    expect(await list(alice)).to.have.length(0);
  });

  it('are counted while they are newer than the marker, up to a limit', async () => {
    const count = async (query = ''): Promise<number> =>
      (await acts.ok(alice.get<{ count: number }>(`/api/v1/notifications/unread_count?${query}`))).count;
    const mine = await post(alice, { status: 'hello' });
    await post(bob, { status: '@alice one' });
    await post(carol, { status: '@alice two' });
    await favourite(bob, mine.id);
    expect(await count()).to.equal(3);
    expect(await count('limit=2')).to.equal(2);
    expect(await count('types[]=mention')).to.equal(2);
    expect(await count('exclude_types[]=mention')).to.equal(1);
    expect(await count(`account_id=${bob.id}`)).to.equal(2);
    const [, second] = await list(alice);
    await acts.ok(alice.post('/api/v1/markers', { notifications: { last_read_id: second?.id } }));
    expect(await count()).to.equal(1);
    const newest = (await list(alice))[0];
    await acts.ok(alice.post('/api/v1/markers', { notifications: { last_read_id: newest?.id } }));
    expect(await count()).to.equal(0);
  });

  describe('as one viewer sees them', () => {
    let mine: Status;
    beforeEach(async () => {
      mine = await post(alice, { status: 'hello' });
      await favourite(carol, mine.id);
      await favourite(bob, mine.id);
      await post(bob, { status: '@alice you' });
    });
    const short = async (): Promise<string[]> => inShort(await list(alice));
    const three = ['mention bob', 'favourite bob', 'favourite carol'];

    it('hide accounts that the viewer blocks, until the block ends', async () => {
      const [mention] = await list(alice);
      await act(alice, `accounts/${bob.id}/block`);
      expect(await short()).to.deep.equal(['favourite carol']);
      expect((await alice.get(`/api/v1/notifications/${mention?.id}`)).status).to.equal(404);
      expect((await alice.post(`/api/v1/notifications/${mention?.id}/dismiss`)).status).to.equal(404);
      const { json } = await alice.get<{ count: number }>('/api/v1/notifications/unread_count');
      expect(json.count).to.equal(1);
      await favourite(bob, (await post(carol, { status: 'another' })).id);
      await act(alice, `accounts/${bob.id}/unblock`);
      expect(await short()).to.deep.equal(three);
    });

    it('hide accounts that block the viewer', async () => {
      await act(bob, `accounts/${alice.id}/block`);
      expect(await short()).to.deep.equal(['favourite carol']);
      await act(bob, `accounts/${alice.id}/unblock`);
      expect(await short()).to.deep.equal(three);
    });

    it('hide accounts muted with notifications, and not those muted without', async () => {
      await act(alice, `accounts/${bob.id}/mute`, { notifications: false });
      expect(await short()).to.deep.equal(three);
      await act(alice, `accounts/${bob.id}/mute`, { notifications: true });
      expect(await short()).to.deep.equal(['favourite carol']);
      await act(alice, `accounts/${bob.id}/unmute`);
      expect(await short()).to.deep.equal(three);
    });

    it('hide suspended accounts', async () => {
      const dave = await town.person('dave');
      await favourite(dave, mine.id);
      expect(await list(alice)).to.have.length(4);
      await town.suspend(dave);
      expect(await short()).to.deep.equal(three);
    });

    it('hide domains that the viewer blocks', async () => {
      const far = await remoteAccount(town.app, 'far', 'far.example');
      await letFollow(town.app, far, alice.id);
      await town.waitUntilIdle();
      expect((await list(alice))[0]?.account.acct).to.equal('far@far.example');
      await act(alice, 'domain_blocks', { domain: 'far.example' });
      // The notification reports the effect of the block on the reader's follows.
      expect(await short()).to.deep.equal(['severed_relationships alice', ...three]);
      const [severed] = await list(alice);
      await act(alice, `notifications/${severed?.id}/dismiss`);
      expect(await short()).to.deep.equal(three);
    });

    it('hide threads that the viewer muted', async () => {
      await act(alice, `statuses/${mine.id}/mute`);
      expect(await short()).to.deep.equal(['mention bob']);
      await post(carol, { status: '@alice an answer', in_reply_to_id: mine.id });
      expect(await short()).to.deep.equal(['mention bob']);
      await act(alice, `statuses/${mine.id}/unmute`);
      expect(await list(alice)).to.have.length(4);
    });
  });

  it('tell staff about new users, and no one else', async () => {
    const staff = await town.person('staff');
    await changeRole(town, staff.id, 'Moderator');
    const newcomer = await town.person('newcomer');
    const [told] = await list(staff);
    expect(told).to.include({ type: 'admin.sign_up', id: newcomer.id });
    expect(told?.account.id).to.equal(newcomer.id);
    expect(told?.group_key).to.match(/^admin\.sign_up-[0-9]+$/);
    const accounts = await staff.get<Account[]>(`/api/v2/notifications/${told?.group_key}/accounts`);
    expect(accounts.json.map(({ id }) => id)).to.deep.equal([newcomer.id]);
    await act(staff, `../v2/notifications/${told?.group_key}/dismiss`);
    expect(await list(staff)).to.deep.equal([]);
    const another = await town.person('another');
    expect((await list(staff)).map(({ id }) => id)).to.deep.equal([another.id]);
    expect(await list(alice)).to.deep.equal([]);
    await changeRole(town, staff.id, null);
    expect(await list(staff)).to.deep.equal([]);
  });

  it('stay the same after a rebuild', async () => {
    const mine = await post(alice, { status: 'hello' });
    await favourite(bob, mine.id);
    await act(carol, `statuses/${mine.id}/reblog`);
    const before = await list(alice);
    await rebuild({ projections: [notifications], log: town.app.log, db: town.app.projectionDb });
    await town.waitUntilIdle();
    expect(await list(alice)).to.deep.equal(before);
  });

  it('need a user with the right scope, and refuse invalid parameters', async () => {
    expect((await town.nobody.get('/api/v1/notifications')).status).to.equal(401);
    expect((await (await town.appOnly()).get('/api/v1/notifications')).status).to.equal(422);
    const reader = await alice.withScopes('read:notifications');
    const writer = await alice.withScopes('write:notifications');
    expect((await reader.get('/api/v1/notifications')).status).to.equal(200);
    expect((await writer.get('/api/v1/notifications')).status).to.equal(403);
    expect((await reader.post('/api/v1/notifications/clear')).status).to.equal(403);
    expect((await writer.post('/api/v1/notifications/clear')).status).to.equal(200);
    const other = await alice.withScopes('read:statuses');
    expect((await other.get('/api/v1/notifications')).status).to.equal(403);
    const long = `types[]=${'x'.repeat(100)}`;
    expect((await alice.get(`/api/v1/notifications?${long}`)).status).to.equal(422);
    for (const query of ['limit=1000', 'limit=x', 'max_id=x', 'types[]=', 'account_id[a]=1']) {
      expect((await alice.get(`/api/v1/notifications?${query}`)).status, query).to.equal(200);
    }
  });
});

async function changeRole(town: Town, id: string, role: 'Moderator' | null): Promise<void> {
  const changed: AccountEvent = { type: 'UserRoleChanged', data: { account_id: id, role } };
  await town.app.systemContext('spec').execute(accountStream(id), account, () => [changed]);
  await town.waitUntilIdle();
}
