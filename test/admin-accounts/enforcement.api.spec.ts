import { expect } from 'chai';
import { modifyUser } from '#commands/accounts/index.ts';
import type { Account, Notification, Status } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';
import { moderationBy } from './support.ts';

interface Ids {
  id: string;
}

/** The consequences of moderation on every way to an account and its posts. */
describeTown('Accounts under moderation', function (town) {
  this.timeout(60_000);
  let mod: Person;
  let by: ReturnType<typeof moderationBy>;
  let follower: Person;
  let stranger: Person;
  let people = 0;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('mod', 'Moderator');
    by = moderationBy(mod);
    follower = await town.person('follower');
    stranger = await town.person('stranger');
  });

  const get = async <Json>(who: Client, path: string): Promise<Json> => {
    const { status, json } = await who.get<Json>(`/api/${path}`);
    expect(status, `${path}: ${JSON.stringify(json)}`).to.equal(200);
    return json;
  };
  const ids = async (who: Client, path: string): Promise<string[]> =>
    (await get<Ids[]>(who, path)).map(({ id }) => id);
  const post = async (who: Client, status: string, more: object = {}): Promise<Status> =>
    ok(who.post<Status>('/api/v1/statuses', { status, ...more }));
  /** Makes an account that `follower` follows, with a post about a hashtag of its own. */
  const bird = async (): Promise<{ bird: Person; tag: string; status: Status }> => {
    people += 1;
    const person = await town.person(`bird${people}`, { display_name: `Bird ${people}`, discoverable: true });
    await ok(follower.post(`/api/v1/accounts/${person.id}/follow`));
    const tag = `birds${people}`;
    return { bird: person, tag, status: await post(person, `Tweet #${tag}`) };
  };

  it('disappear everywhere when suspended, and return completely afterwards', async () => {
    const { bird: person, tag, status } = await bird();
    const mine = await post(stranger, 'Answer me');
    const answer = await post(person, `@stranger Here`, { in_reply_to_id: mine.id });
    await ok(person.post(`/api/v1/accounts/${stranger.id}/follow`));
    await ok(person.post(`/api/v1/statuses/${mine.id}/favourite`));
    await ok(person.post(`/api/v1/statuses/${mine.id}/reblog`));
    await ok(stranger.post(`/api/v1/statuses/${status.id}/bookmark`));
    await ok(stranger.post(`/api/v1/statuses/${status.id}/favourite`));
    const list = await ok(follower.post<Ids>('/api/v1/lists', { title: 'Birds' }));
    await ok(follower.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [person.id] }));
    const encoded = `bird${people}`;
    /** Reads every surface: equal before and after the suspension, and without the account in between. */
    const look = async (): Promise<Record<string, unknown>> => {
      await town.waitUntilIdle();
      const of = (who: Client, path: string): Promise<string[]> => ids(who, path);
      const context = await get<{ descendants: Ids[] }>(stranger, `v1/statuses/${mine.id}/context`);
      const { json: shown } = await stranger.get(`/api/v1/statuses/${status.id}`);
      return {
        profile: (await get<Account>(stranger, `v1/accounts/${person.id}`)).display_name,
        lookup: (await get<Account>(town.nobody, `v1/accounts/lookup?acct=${encoded}`)).display_name,
        status: (shown as { error?: string }).error ?? (shown as Status).id,
        statuses: await of(town.nobody, `v1/accounts/${person.id}/statuses`),
        home: await of(follower, 'v1/timelines/home'),
        list: await of(follower, `v1/timelines/list/${list.id}`),
        members: await of(follower, `v1/lists/${list.id}/accounts`),
        tag: await of(town.nobody, `v1/timelines/tag/${tag}`),
        public: (await of(stranger, 'v1/timelines/public?limit=40')).includes(status.id),
        context: context.descendants.map(({ id }) => id),
        search: await of(stranger, `v1/accounts/search?q=bird${people}`),
        following: await of(stranger, `v1/accounts/${follower.id}/following`),
        followers: await of(stranger, `v1/accounts/${stranger.id}/followers`),
        favourited: await of(stranger, `v1/statuses/${mine.id}/favourited_by`),
        reblogged: await of(stranger, `v1/statuses/${mine.id}/reblogged_by`),
        bookmarks: await of(stranger, 'v1/bookmarks'),
        favourites: await of(stranger, 'v1/favourites'),
        told: (await get<Notification[]>(stranger, 'v1/notifications'))
          .filter(({ account }) => account.id === person.id)
          .map(({ type }) => type)
          .sort(),
      };
    };
    const before = await look();
    expect(before).to.deep.include({
      profile: `Bird ${people}`,
      lookup: `Bird ${people}`,
      status: status.id,
      public: true,
      context: [answer.id],
      told: ['favourite', 'follow', 'mention', 'reblog'],
      bookmarks: [status.id],
      favourites: [status.id],
      members: [person.id],
      favourited: [person.id],
      reblogged: [person.id],
      followers: [person.id],
      search: [person.id],
      tag: [status.id],
    });
    expect(before['home']).to.include(status.id);
    expect(before['list']).to.include(status.id);
    expect(before['following']).to.include(person.id);

    expect((await person.get('/api/v1/timelines/home')).status).to.equal(200);
    await by.act(person, 'suspend');
    // Its token is refused immediately, although it is cached.
    const refused = await person.get('/api/v1/timelines/home');
    expect([refused.status, refused.json]).to.deep.equal([
      403,
      { error: 'Your login is currently disabled' },
    ]);
    const gone = await look();
    for (const [surface, shown] of Object.entries(gone)) {
      const text = JSON.stringify(shown);
      for (const secret of [person.id, status.id, answer.id, 'Bird'])
        expect(text, surface).not.to.contain(secret);
    }
    expect(gone).to.deep.include({ profile: '', lookup: '', public: false, told: [] });
    expect(await get<Account>(stranger, `v1/accounts/${person.id}`)).to.include({
      suspended: true,
      note: '',
    });
    expect((await stranger.post(`/api/v1/accounts/${person.id}/follow`)).status).to.equal(404);

    await by.does(person, 'unsuspend');
    expect((await person.get('/api/v1/timelines/home')).status).to.equal(200);
    expect(await look()).to.deep.equal(before);
  });

  it('are marked as limited when silenced, and shown only to followers and to those who look for them', async () => {
    const { bird: person, tag, status } = await bird();
    const mine = await post(stranger, 'Any birds here?');
    const answer = await post(person, 'Yes', { in_reply_to_id: mine.id });
    const surfaces = ['v1/timelines/public?limit=40', `v1/timelines/tag/${tag}`];
    const meets = async (who: Client): Promise<boolean[]> => {
      const lists = await Promise.all(surfaces.map((path) => ids(who, path)));
      const { descendants } = await get<{ descendants: Ids[] }>(who, `v1/statuses/${mine.id}/context`);
      return [
        ...lists.map((list) => list.includes(status.id)),
        descendants.some(({ id }) => id === answer.id),
      ];
    };
    const all = [true, true, true];
    const none = [false, false, false];
    for (const who of [town.nobody, stranger, follower, person]) expect(await meets(who)).to.deep.equal(all);
    await by.act(person, 'silence');
    for (const who of [town.nobody, stranger, mod]) expect(await meets(who)).to.deep.equal(none);
    for (const who of [follower, person]) expect(await meets(who)).to.deep.equal(all);
    expect(await ids(follower, 'v1/timelines/home')).to.include(status.id);
    expect(await ids(town.nobody, `v1/accounts/${person.id}/statuses`)).to.include(status.id);
    expect(await ids(stranger, `v1/accounts/search?q=${person.username}`)).to.deep.equal([person.id]);
    expect(await get<Account>(stranger, `v1/accounts/${person.id}`)).to.include({ limited: true });
    expect((await get<Status>(stranger, `v1/statuses/${status.id}`)).account).to.include({ limited: true });
    // A limited account sends requests instead of following.
    const asked = await ok(person.post<{ requested: boolean }>(`/api/v1/accounts/${stranger.id}/follow`));
    expect(asked).to.include({ requested: true, following: false });
    await by.does(person, 'unsilence');
    for (const who of [town.nobody, stranger, follower]) expect(await meets(who)).to.deep.equal(all);
    expect(await get<Account>(stranger, `v1/accounts/${person.id}`)).not.to.have.property('limited');
    expect((await get<Status>(stranger, `v1/statuses/${status.id}`)).account).not.to.have.property('limited');
  });

  it('are subject to the notification policy for limited accounts, except for their followers', async () => {
    const { bird: person } = await bird();
    await by.act(person, 'silence');
    const mention = async (): Promise<void> => {
      await post(person, '@stranger @follower Hello');
      await town.waitUntilIdle();
    };
    const told = async (who: Client, query = ''): Promise<number> => {
      const found = await get<Notification[]>(who, `v1/notifications?${query}account_id=${person.id}`);
      return found.filter(({ type }) => type === 'mention').length;
    };
    await mention();
    expect([await told(stranger), await told(stranger, 'include_filtered=true&')]).to.deep.equal([0, 1]);
    expect(await told(follower)).to.equal(1);
    await ok(stranger.patch('/api/v2/notifications/policy', { for_limited_accounts: 'drop' }));
    await mention();
    expect([await told(stranger), await told(stranger, 'include_filtered=true&')]).to.deep.equal([0, 1]);
    await ok(stranger.patch('/api/v2/notifications/policy', { for_limited_accounts: 'accept' }));
    await mention();
    expect(await told(stranger)).to.equal(1);
    await ok(stranger.patch('/api/v2/notifications/policy', { for_limited_accounts: 'filter' }));
    await by.does(person, 'unsilence');
    await mention();
    expect(await told(stranger)).to.equal(2);
  });

  it('have all posts marked as sensitive for others while they are sensitized', async () => {
    const { bird: person, tag, status } = await bird();
    const second = await post(person, `Another #${tag}`);
    const warned = await post(person, `Careful #${tag}`, { sensitive: true });
    await ok(stranger.post(`/api/v1/statuses/${status.id}/reblog`));
    const shown = async (who: Client): Promise<Record<string, boolean>> =>
      Object.fromEntries(
        (await get<Status[]>(who, `v1/timelines/tag/${tag}`)).map(({ id, sensitive }) => [id, sensitive]),
      );
    const chosen = { [status.id]: false, [second.id]: false, [warned.id]: true };
    const marked = { [status.id]: true, [second.id]: true, [warned.id]: true };
    for (const who of [stranger, town.nobody, person]) expect(await shown(who)).to.deep.equal(chosen);
    await by.act(person, 'sensitive');
    // One post is rendered first, and its cached form must not decide for the others.
    expect((await get<Status>(stranger, `v1/statuses/${status.id}`)).sensitive).to.equal(true);
    for (const who of [stranger, town.nobody]) expect(await shown(who)).to.deep.equal(marked);
    // The author still sees their own choice, for editing.
    expect(await shown(person)).to.deep.equal(chosen);
    const [reblog] = await get<Status[]>(follower, `v1/accounts/${stranger.id}/statuses`);
    expect(reblog?.reblog).to.include({ id: status.id, sensitive: true });
    const history = (who: Client): Promise<{ sensitive: boolean }[]> =>
      get(who, `v1/statuses/${status.id}/history`);
    expect((await history(stranger))[0]).to.include({ sensitive: true });
    expect((await history(person))[0]).to.include({ sensitive: false });
    expect(await post(person, 'New')).to.include({ sensitive: false });
    await by.does(person, 'unsensitive');
    expect((await get<Status>(stranger, `v1/statuses/${second.id}`)).sensitive).to.equal(false);
    for (const who of [stranger, town.nobody, person]) expect(await shown(who)).to.deep.equal(chosen);
  });

  it('cannot use the API while disabled, and are shown to others as before', async () => {
    const { bird: person, status } = await bird();
    expect((await person.get('/api/v1/accounts/verify_credentials')).status).to.equal(200);
    await by.act(person, 'disable');
    const again = await person.withScopes('read', 'write');
    for (const session of [person, again]) {
      const refused = await session.get('/api/v1/accounts/verify_credentials');
      expect([refused.status, refused.json]).to.deep.equal([
        403,
        { error: 'Your login is currently disabled' },
      ]);
    }
    expect((await again.post('/api/v1/statuses', { status: 'Still here' })).status).to.equal(403);
    expect(await get<Account>(stranger, `v1/accounts/${person.id}`)).to.include({
      display_name: `Bird ${people}`,
    });
    expect(await ids(stranger, `v1/accounts/${person.id}/statuses`)).to.deep.equal([status.id]);
    await by.does(person, 'enable');
    expect((await again.get('/api/v1/accounts/verify_credentials')).status).to.equal(200);
    expect((await person.get('/api/v1/accounts/verify_credentials')).status).to.equal(200);
    // The command line disables in the same way.
    const byOperator = (disabled: boolean) =>
      modifyUser(town.app.systemContext('spec'), person.id, { disabled });
    await byOperator(true);
    expect((await person.get('/api/v1/accounts/verify_credentials')).status).to.equal(403);
    await byOperator(false);
    expect((await person.get('/api/v1/accounts/verify_credentials')).status).to.equal(200);
  });
});
