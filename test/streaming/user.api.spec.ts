import { expect } from 'chai';
import { createAnnouncement, deleteAnnouncement, updateAnnouncement } from '#commands/announcements/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { follow, list, post, reblog } from '../timelines/support.ts';
import { type Heard, listen, type Listener } from './support.ts';

describeTown('The stream of a user', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let mute: Person;
  const open: Listener[] = [];

  const hears = async (person: Person, stream: string, parameters = {}): Promise<Listener> => {
    const listener = await listen(town.url, person.token, stream, parameters);
    open.push(listener);
    return listener;
  };
  /** Returns the messages until the user's own next post. */
  const heardBy = async (person: Person, listener: Listener): Promise<Heard[]> => {
    const marker = await post(person, 'the end', { visibility: 'unlisted' });
    const heard = await listener.until(
      ({ payload }) => (payload as { id?: string } | undefined)?.id === marker,
    );
    return heard.slice(0, -1);
  };

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    mute = await town.person('mute');
    for (const reader of [bob, mute]) await follow(reader, alice);
    await mute.post(`/api/v1/accounts/${alice.id}/mute`);
    await town.waitUntilIdle();
  });
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.close();
  });

  it('sends a post to followers, as GET shows it to them, and not to one who muted the author', async () => {
    const bobHears = await hears(bob, 'user');
    const muteHears = await hears(mute, 'user');
    const id = await post(alice, 'Hello #World');
    const message = await bobHears.next();
    expect(message).to.include({ event: 'update' });
    expect(message.stream).to.deep.equal(['user']);
    expect(message.payload).to.deep.equal((await bob.get(`/api/v1/statuses/${id}`)).json);
    expect(await heardBy(mute, muteHears)).to.deep.equal([]);
  });

  it('removes the posts of an account, and those about it, when its user mutes or blocks it', async () => {
    const [eve, dan] = [await town.person('eve'), await town.person('dan')];
    for (const author of [alice, eve]) await follow(dan, author);
    const kept = await post(alice, 'nothing about her');
    for (const act of ['mute', 'block']) {
      const own = await post(eve, `before the ${act}`);
      const naming = await post(alice, `hello @eve before the ${act}`);
      const boost = await reblog(alice, own);
      await town.waitUntilIdle();
      const heard = await Promise.all([hears(dan, 'user'), hears(eve, 'user')]);
      await dan.post(`/api/v1/accounts/${eve.id}/${act}`);
      const gone = (await heardBy(dan, heard[0])).map(({ event, payload }) => [event, payload]);
      for (const id of [own, naming, boost]) expect(gone, act).to.deep.include(['delete', id]);
      expect(gone).to.not.deep.include(['delete', kept]);
      expect(await heardBy(eve, heard[1])).to.deep.equal([]);
      await dan.post(`/api/v1/accounts/${eve.id}/unmute`);
    }
  });

  it('sends edits and deletions to the clients that got the post', async () => {
    const bobHears = await hears(bob, 'user');
    const muteHears = await hears(mute, 'user');
    // The steps run one after the other: an event about a deleted post is not sent.
    const id = await post(alice, 'first');
    expect(await bobHears.next()).to.include({ event: 'update' });
    await alice.put(`/api/v1/statuses/${id}`, { status: 'second' });
    const edited = await bobHears.next();
    expect(edited).to.include({ event: 'status.update' });
    expect(edited.payload.content).to.equal('<p>second</p>');
    await alice.delete(`/api/v1/statuses/${id}`);
    expect(await bobHears.next()).to.deep.equal({ stream: ['user'], event: 'delete', payload: id });
    expect(await heardBy(mute, muteHears)).to.deep.equal([]);
  });

  it('sends reblogs, and removes them with their original', async () => {
    const carol = await town.person('carol');
    const original = await post(carol, 'reblog me');
    const bobHears = await hears(bob, 'user');
    const id = await reblog(alice, original);
    const { event, payload } = await bobHears.next();
    expect(event).to.equal('update');
    expect(payload).to.include({ id });
    expect(payload.reblog).to.include({ id: original });
    await carol.delete(`/api/v1/statuses/${original}`);
    expect(await bobHears.next()).to.deep.equal({ stream: ['user'], event: 'delete', payload: id });
  });

  it('sends notifications, as GET shows them', async () => {
    const aliceHears = await hears(alice, 'user');
    const onlyThese = await hears(alice, 'user:notification');
    const id = await post(alice, 'favourite me');
    await bob.post(`/api/v1/statuses/${id}/favourite`);
    const [update, notification] = [await aliceHears.next(), await aliceHears.next()];
    expect([update.event, notification.event]).to.deep.equal(['update', 'notification']);
    expect(notification.payload).to.include({ type: 'favourite' });
    const { json } = await alice.get(`/api/v1/notifications/${notification.payload.id}`);
    expect(notification.payload).to.deep.equal(json);
    const alone = await onlyThese.next();
    expect(alone).to.deep.equal({ ...notification, stream: ['user:notification'] });
  });

  it('sends new reports to staff only', async () => {
    const mod = await town.staff('mod', 'Moderator');
    const [modHears, aliceHears] = [await hears(mod, 'user:notification'), await hears(alice, 'user')];
    const { json } = await bob.post<{ id: string }>('/api/v1/reports', { account_id: alice.id });
    const { payload } = await modHears.next();
    expect(payload).to.deep.include({ id: json.id, type: 'admin.report', report: json });
    expect(await heardBy(alice, aliceHears)).to.deep.equal([]);
  });

  it('sends no notifications of blocked accounts, and no filtered ones', async () => {
    const stranger = await town.person('stranger');
    const blocked = await town.person('blocked');
    await bob.post(`/api/v1/accounts/${blocked.id}/block`);
    await bob.patch('/api/v2/notifications/policy', { for_not_following: 'filter' });
    const bobHears = await hears(bob, 'user');
    await post(blocked, '@bob hi');
    await post(stranger, '@bob hi');
    await post(alice, '@bob hello');
    const heard = await heardBy(bob, bobHears);
    expect(heard.map(({ event, payload }) => [event, payload.account.username])).to.deep.equal([
      ['update', 'alice'],
      ['notification', 'alice'],
    ]);
    const { json } = await bob.get<{ id: string }[]>('/api/v1/notifications/requests');
    await bob.post(`/api/v1/notifications/requests/${json[0]?.id}/accept`);
    expect((await heardBy(bob, bobHears)).map(({ event }) => event)).to.deep.equal(['notifications_merged']);
    await bob.patch('/api/v2/notifications/policy', { for_not_following: 'accept' });
  });

  it('reports changed filters once per request, to the user only', async () => {
    const bobHears = await hears(bob, 'user');
    const aliceHears = await hears(alice, 'user');
    const { json } = await bob.post<{ id: string; keywords: { id: string }[] }>('/api/v2/filters', {
      title: 'Plots',
      context: ['home'],
      keywords_attributes: [{ keyword: 'plot' }, { keyword: 'twist' }],
    });
    await bob.put(`/api/v2/filters/${json.id}`, {
      title: 'Other plots',
      keywords_attributes: [
        { id: json.keywords[0]?.id, keyword: 'plots' },
        { id: json.keywords[1]?.id, _destroy: true },
        { keyword: 'ending' },
      ],
    });
    await bob.delete(`/api/v2/filters/${json.id}`);
    const heard = await heardBy(bob, bobHears);
    const changed: Heard = { stream: ['user'], event: 'filters_changed' };
    expect(heard).to.deep.equal([changed, changed, changed]);
    expect(await heardBy(alice, aliceHears)).to.deep.equal([]);
  });

  it('sends announcements, reactions to them, and their deletion to everyone', async () => {
    const staff = () => town.app.systemContext('spec');
    const bobHears = await hears(bob, 'user');
    const aliceHears = await hears(alice, 'user');
    const times = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
    const draft = await createAnnouncement(staff(), { text: 'Not yet', ...times }, { draft: true });
    await updateAnnouncement(staff(), { id: draft, text: 'Still not' });
    const id = await createAnnouncement(staff(), { text: 'Soon all is new', ...times });
    await town.waitUntilIdle();
    const shown = await bob.get<{ id: string; read?: boolean }[]>('/api/v1/announcements');
    const { read: _, ...announcement } = shown.json.find((each) => each.id === id) ?? { id: '' };
    expect(await bobHears.next()).to.deep.equal({
      stream: ['user'],
      event: 'announcement',
      payload: announcement,
    });
    expect(await aliceHears.next()).to.include({ event: 'announcement' });

    await alice.put(`/api/v1/announcements/${id}/reactions/🎉`);
    const reacted = await bobHears.next();
    expect(reacted).to.include({ event: 'announcement.reaction' });
    expect(reacted.payload).to.deep.equal({ name: '🎉', count: 1, announcement_id: id });

    await deleteAnnouncement(staff(), id);
    expect(await heardBy(bob, bobHears)).to.deep.equal([
      { stream: ['user'], event: 'announcement.delete', payload: Number(id) },
    ]);
  });

  it("includes the results of the viewer's filters", async () => {
    await bob.post('/api/v2/filters', {
      title: 'No cats',
      context: ['home'],
      keywords_attributes: [{ keyword: 'cat', whole_word: true }],
    });
    const bobHears = await hears(bob, 'user');
    await post(alice, 'my cat');
    const { payload } = await bobHears
      .until(({ event }) => event === 'update')
      .then(([first]) => first as Heard);
    expect(payload.filtered[0].filter.title).to.equal('No cats');
  });

  it('follows the rules of the home timeline: reblogs off, languages, followed hashtags, exclusive lists', async () => {
    const reader = await town.person('reader');
    const listed = await town.person('listed');
    const stranger = await town.person('taggingstranger');
    await follow(reader, alice, { reblogs: false, languages: ['de'] });
    await follow(reader, listed);
    await list(reader, { exclusive: true }, [listed]);
    await reader.post('/api/v1/tags/Chess/follow');
    const original = await post(stranger, 'to be reblogged');
    await town.waitUntilIdle();
    const hearing = await hears(reader, 'user');
    await post(alice, 'in English', { language: 'en' });
    const german = await post(alice, 'auf Deutsch', { language: 'de' });
    await reblog(alice, original);
    await post(listed, 'in a list');
    const tagged = await post(stranger, 'about #chess');
    await post(stranger, 'about nothing');
    const heard = await heardBy(reader, hearing);
    expect(heard.map(({ payload }) => payload.id as string)).to.deep.equal([german, tagged]);
  });
});
