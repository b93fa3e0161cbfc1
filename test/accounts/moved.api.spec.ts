import { expect } from 'chai';
import { cancelMigration, migrateAccount } from '#commands/accounts/index.ts';
import type { Account, Relationship, Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { letAccept, letFollow, remoteAccount } from '../support/remote.ts';

describeTown('Accounts that have moved', function (town) {
  this.timeout(120_000);
  let old: Person;
  let fresh: Person;
  let reader: Person;
  before(async () => {
    old = await town.person('old');
    fresh = await town.person('fresh', { locked: true });
    reader = await town.person('reader');
  });

  const move = async (who: Person, target: { id: string }, force = false): Promise<void> => {
    await migrateAccount(town.app.systemContext('spec'), { accountId: who.id, targetId: target.id, force });
    await town.waitUntilIdle();
  };
  const shown = async (id: string): Promise<Account> =>
    (await town.nobody.get<Account>(`/api/v1/accounts/${id}`)).json;
  const between = async (who: Person, id: string): Promise<Relationship | undefined> =>
    (await who.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${id}`)).json[0];

  it('show the new account wherever they appear', async () => {
    const posted = await old.post<Status>('/api/v1/statuses', { status: 'I am moving' });
    expect(await shown(old.id)).not.to.have.property('moved');
    await move(old, fresh);
    const { moved } = await shown(old.id);
    expect(moved).to.deep.equal({ ...(await shown(fresh.id)), moved: null });
    const { json } = await reader.get<Status>(`/api/v1/statuses/${posted.json.id}`);
    expect(json.account.moved).to.deep.equal(moved);
    expect(await shown(fresh.id)).not.to.have.property('moved');
  });

  it('show one target only, without a target of its own', async () => {
    const first = await town.person('first');
    const second = await town.person('second');
    await move(first, second);
    await move(second, first);
    expect((await shown(first.id)).moved).to.include({ username: 'second', moved: null });
    await town.suspend(second);
    expect((await shown(first.id)).moved).to.include({ username: 'second', suspended: true, note: '' });
    expect(await shown(second.id)).to.include({ suspended: true, moved: null });
  });

  it('cannot be followed', async () => {
    const { status, json } = await reader.post<{ error: string }>(`/api/v1/accounts/${old.id}/follow`);
    expect({ status, error: json.error }).to.deep.equal({ status: 403, error: 'This action is not allowed' });
    const byName = await reader.post('/api/v1/follows', { uri: 'old' });
    expect(byName.status).to.equal(403);
  });

  it('can read but not act until the move is cancelled', async () => {
    const refused = await old.post<{ error: string }>('/api/v1/statuses', { status: 'one more' });
    expect(refused.status).to.equal(403);
    expect(refused.json.error).to.equal('Your login is currently disabled');
    expect((await old.get(`/api/v1/accounts/${fresh.id}`)).status).to.equal(200);
    await cancelMigration(town.app.systemContext('spec'), old.id);
    await town.waitUntilIdle();
    expect((await old.post('/api/v1/statuses', { status: 'back' })).status).to.equal(200);
    expect(await shown(old.id)).not.to.have.property('moved');
    expect((await reader.post(`/api/v1/accounts/${old.id}/follow`)).status).to.equal(200);
  });

  describe('with followers', () => {
    let from: Person;
    let to: Person;
    before(async () => {
      from = await town.person('from', { locked: true });
      to = await town.person('to', { locked: true });
    });

    it('move followers with their settings past the lock, but no requests and no followers who block the target', async () => {
      const [plain, choosy, already, blocker, waiting] = [
        await town.person('plain'),
        await town.person('choosy'),
        await town.person('already'),
        await town.person('blocker'),
        await town.person('waiting'),
      ];
      const settings = { reblogs: false, notify: true, languages: ['de'] };
      for (const who of [plain, choosy, already, blocker, waiting]) {
        await who.post(`/api/v1/accounts/${from.id}/follow`, who === choosy ? settings : {});
        if (who !== waiting) await from.post(`/api/v1/follow_requests/${who.id}/authorize`);
      }
      await already.post(`/api/v1/accounts/${to.id}/follow`, { notify: true });
      await to.post(`/api/v1/follow_requests/${already.id}/authorize`);
      await blocker.post(`/api/v1/accounts/${to.id}/block`);
      await to.post(`/api/v1/accounts/${from.id}/follow`);
      await from.post(`/api/v1/follow_requests/${to.id}/authorize`);

      await move(from, to);
      const gone = { following: false, requested: false };
      for (const who of [plain, choosy, already]) expect(await between(who, from.id)).to.include(gone);
      expect(await between(plain, to.id)).to.include({ following: true, showing_reblogs: true });
      expect(await between(choosy, to.id)).to.deep.include({
        following: true,
        showing_reblogs: false,
        notifying: true,
        languages: ['de'],
      });
      expect(await between(already, to.id)).to.include({ following: true, notifying: true });
      expect(await between(blocker, to.id)).to.include({ following: false, blocking: true });
      expect(await between(blocker, from.id)).to.include({ following: true });
      expect(await between(waiting, from.id)).to.include({ requested: true });
      expect(await between(waiting, to.id)).to.include(gone);
      expect((await shown(to.id)).followers_count).to.equal(3);
    });

    it('send a follow request when the target is on another server', async () => {
      const leaver = await town.person('leaver');
      const away = await remoteAccount(town.app, 'away', 'far.example');
      const stranger = await remoteAccount(town.app, 'stranger', 'near.example');
      await reader.post(`/api/v1/accounts/${leaver.id}/follow`);
      await letFollow(town.app, stranger, leaver.id);
      await move(leaver, { id: away });
      expect(await between(reader, away)).to.include({ following: false, requested: true });
      expect(await between(reader, leaver.id)).to.include({ following: false });
      // Remote followers remain: their own server acts on the Move activity.
      expect((await shown(leaver.id)).followers_count).to.equal(1);
      expect((await shown(leaver.id)).moved).to.include({ acct: 'away@far.example' });
    });
  });

  it("keep their place in the followers' lists, also while a follow request is pending", async () => {
    const [gone, here] = [await town.person('gone'), await town.person('here')];
    const away = await remoteAccount(town.app, 'there', 'lists.example');
    const keeper = await town.person('keeper');
    const listOf = async (title: string): Promise<string> =>
      (await keeper.post<{ id: string }>('/api/v1/lists', { title })).json.id;
    const lists = [await listOf('Old friends'), await listOf('Neighbours')];
    const members = async (list?: string): Promise<string[]> =>
      (await keeper.get<Account[]>(`/api/v1/lists/${list}/accounts`)).json.map(({ id }) => id);
    await keeper.post(`/api/v1/accounts/${gone.id}/follow`);
    await keeper.post(`/api/v1/accounts/${reader.id}/follow`);
    for (const list of lists)
      await keeper.post(`/api/v1/lists/${list}/accounts`, { account_ids: [gone.id, reader.id] });
    await move(gone, here);
    for (const list of lists) expect(await members(list)).to.have.members([here.id, reader.id]);
    await move(here, { id: away });
    expect(await members(lists[0]), 'asked, not accepted').to.have.members([away, reader.id]);
    await letAccept(town.app, away, keeper.id);
    await town.waitUntilIdle();
    expect(await members(lists[0])).to.have.members([away, reader.id]);
  });

  it('pass on private notes, placed before notes on the new account', async () => {
    const [once, now] = [await town.person('once'), await town.person('now')];
    const writers = [await town.person('notes'), await town.person('notesboth'), await town.person('full')];
    const note = async (who: Person, about: Person, comment: string): Promise<void> => {
      await who.post(`/api/v1/accounts/${about.id}/note`, { comment });
    };
    for (const who of writers) await note(who, once, `Met ${who.username} at the harbour`);
    await note(writers[1]!, now, 'Owes me eggs');
    await note(writers[2]!, now, 'x'.repeat(1_990));
    await move(once, now);
    const notes = await Promise.all(writers.map(async (who) => (await between(who, now.id))?.note));
    expect(notes).to.deep.equal([
      'Met notes at the harbour',
      'Met notesboth at the harbour\n\nOwes me eggs',
      'x'.repeat(1_990),
    ]);
    expect((await between(writers[0]!, once.id))?.note).to.equal('Met notes at the harbour');
    expect((await between(reader, now.id))?.note).to.equal('');
  });

  it('pass on blocks and mutes, except blocks by followers of the new account', async () => {
    const [pest, anew] = [await town.person('pest'), await town.person('anew')];
    const [blocker, muter, friend, both] = [
      await town.person('blocks'),
      await town.person('mutes'),
      await town.person('friend'),
      await town.person('both'),
    ];
    for (const who of [blocker, friend]) await who.post(`/api/v1/accounts/${pest.id}/block`);
    await friend.post(`/api/v1/accounts/${anew.id}/follow`);
    await both.post(`/api/v1/accounts/${pest.id}/follow`);
    for (const who of [muter, both])
      await who.post(`/api/v1/accounts/${pest.id}/mute`, { notifications: false, duration: 86_400 });
    await town.waitUntilIdle();
    await move(pest, anew);
    expect(await between(blocker, anew.id)).to.include({ blocking: true });
    expect(await between(blocker, pest.id)).to.include({ blocking: true });
    const muted = { blocking: false, muting: true, muting_notifications: false };
    expect(await between(muter, anew.id)).to.include({ ...muted, following: false });
    expect((await between(muter, anew.id))?.muting_expires_at).to.equal(
      (await between(muter, pest.id))?.muting_expires_at,
    );
    expect(await between(both, anew.id)).to.include({ ...muted, following: true });
    expect(await between(friend, anew.id), 'the follow was a choice').to.include({
      blocking: false,
      following: true,
    });
    expect(await between(reader, anew.id)).to.include({ blocking: false, muting: false });
  });
});
