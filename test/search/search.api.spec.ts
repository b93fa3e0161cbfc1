import { expect } from 'chai';
import type { Account, Search, Status, Tag } from '#mastodon/schemas/index.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';

describeTown('Searching for everything', function (town) {
  this.timeout(120_000);
  let me: Person;
  let rook: Person;
  let far: string;
  let origin: string;
  before(async () => {
    origin = town.app.instance.origin;
    me = await town.person('me');
    rook = await town.person('rook', { display_name: 'Castle', indexable: true });
    far = await remoteAccount(town.app, 'Rook', 'far.example');
  });

  const post = async (author: Person, status: string, more: object = {}): Promise<Status> => {
    const { json, status: code } = await author.post<Status>('/api/v1/statuses', { status, ...more });
    expect(code, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const ask = async (q: string, more = '', who: Client = me): Promise<Answer<Search>> => {
    await town.waitUntilIdle();
    return who.get<Search>(`/api/v2/search?q=${encodeURIComponent(q)}${more}`);
  };
  const search = async (q: string, more = '', who: Client = me): Promise<Search> => {
    const { status, json } = await ask(q, more, who);
    expect(status, `${q} ${JSON.stringify(json)}`).to.equal(200);
    return json;
  };
  const accts = async (q: string, more = '', who: Client = me): Promise<string[]> =>
    (await search(q, more, who)).accounts.map(({ acct }) => acct);
  const tags = async (q: string, more = '', who: Client = me): Promise<string[]> =>
    (await search(q, more, who)).hashtags.map(({ name }) => name);

  it('finds accounts, statuses and hashtags at once, or those of one type', async () => {
    const { id } = await post(rook, 'Hello #RookWatch');
    const all = await search('rook');
    expect(all.accounts.map(({ acct }) => acct)).to.deep.equal(['rook', 'Rook@far.example']);
    expect(all.statuses.map((status) => status.id)).to.deep.equal([id]);
    expect(all.hashtags.map(({ name }) => name)).to.deep.equal(['RookWatch']);
    expect(await search('rook', '&type=')).to.deep.equal(all);
    const none = { accounts: [], statuses: [], hashtags: [], collections: [] };
    for (const type of ['accounts', 'statuses', 'hashtags'] as const) {
      expect(await search('rook', `&type=${type}`)).to.deep.equal({ ...none, [type]: all[type] });
    }
    for (const q of ['nothing', '!?', '🐦']) expect(await search(q), q).to.deep.equal(none);
    const { status, json } = await me.get('/api/v2/search');
    expect([status, json]).to.deep.equal([
      400,
      { error: 'param is missing or the value is empty or invalid: q' },
    ]);
    expect(await search('rook', '&type=birds')).to.deep.equal(none);
  });

  it('needs the scope when there is a token', async () => {
    expect((await ask('rook', '', await me.withScopes('read:accounts'))).status).to.equal(403);
    expect(await accts('castle', '', await me.withScopes('read:search'))).to.deep.equal(['rook']);
    expect(await accts('castle', '', town.nobody)).to.deep.equal(['rook']);
  });

  it('finds accounts by all forms of their handle', async () => {
    for (const q of [
      'rook@far.example',
      '@Rook@far.example',
      'acct:rook@far.example',
      'ACCT:@rook@FAR.example',
    ]) {
      expect(await accts(q), q).to.deep.equal(['Rook@far.example']);
      expect(await accts(q, '&resolve=true'), q).to.deep.equal(['Rook@far.example']);
    }
    for (const q of ['@rook', 'acct:rook@rookery.example', 'rook@rookery.example']) {
      expect((await accts(q))[0], q).to.equal('rook');
    }
    expect(await accts('rook', '&following=true')).to.deep.equal([]);
    await letFollow(town.app, me.id, rook.id);
    expect(await accts('rook', '&following=true&type=accounts')).to.deep.equal(['rook']);
    expect(await accts('#rook')).to.deep.equal([]);
  });

  it('finds the local or remote object of an address', async () => {
    const { id, uri, url } = await post(rook, 'A post to link to');
    for (const page of [
      `${origin}/@rook`,
      `${origin}/users/rook`,
      `${origin}/@Rook/`,
      `${origin.replace('https:', 'http:')}/@rook`,
      `${origin}/@rook@rookery.example#x`,
    ]) {
      for (const more of ['', '&resolve=true', '&type=accounts']) {
        const found = await search(page, more);
        expect(
          found.accounts.map(({ acct }) => acct),
          page,
        ).to.deep.equal(['rook']);
        expect([...found.statuses, ...found.hashtags]).to.deep.equal([]);
      }
    }
    for (const page of [
      'https://far.example/users/Rook',
      'https://far.example/users/Rook/',
      `${origin}/@rook@far.example`,
    ]) {
      expect(await accts(page), page).to.deep.equal(['Rook@far.example']);
    }
    for (const page of [uri, url ?? '', `${origin}/@rook/${id}/`, ` ${uri}#fragment `]) {
      for (const more of ['', '&resolve=true', '&type=statuses']) {
        const { statuses, accounts } = await search(page, more);
        expect(
          statuses.map((status) => status.id),
          page,
        ).to.deep.equal([id]);
        expect(accounts).to.deep.equal([]);
      }
    }
    expect((await search(uri, '&type=accounts')).statuses).to.deep.equal([]);
    for (const page of [`${origin}/@me/${id}`, `${origin}/@rook/1`, `${origin}/@rook/99999999999999999999`]) {
      expect((await search(page)).statuses, page).to.deep.equal([]);
    }
    for (const page of [
      'https://far.example/users/nobody',
      `${origin}/@nobody`,
      'https://',
      'http://[',
      'https://far.example/a b',
    ]) {
      expect(await accts(page, '&resolve=true'), page).to.deep.equal([]);
    }
  });

  it('does not show the object of an address to viewers who may not see it', async () => {
    const { uri } = await post(rook, 'For nobody but @rook', { visibility: 'direct' });
    expect((await search(uri, '', rook)).statuses).to.have.length(1);
    expect((await search(uri)).statuses).to.deep.equal([]);
    expect((await search(uri, '', town.nobody)).statuses).to.deep.equal([]);
    const gone = await town.person('gone');
    await town.suspend(gone);
    expect(await accts(`${origin}/@gone`)).to.deep.equal([]);
    const blocking = await town.person('blocking');
    await blocking.post(`/api/v1/accounts/${me.id}/block`);
    expect(await accts(`${origin}/@blocking`)).to.deep.equal(['blocking']);
  });

  it('shows strangers less: exact names for short queries, one page, nothing from other servers', async () => {
    const stranger = town.nobody;
    await post(rook, '#nest #nesting #nestling');
    expect(await accts('rook', '', stranger)).to.deep.equal(['rook']);
    expect(await accts('cast', '', stranger)).to.deep.equal([]);
    expect(await accts('castl', '', stranger)).to.deep.equal(['rook']);
    expect(await tags('nest', '', stranger)).to.deep.equal(['nest']);
    expect(await tags('nesti', '', stranger)).to.deep.equal(['nesting']);
    for (const more of [
      '&resolve=true',
      '&resolve=yes',
      '&offset=1&type=accounts',
      '&offset=20',
      '&offset=0',
    ]) {
      const { status, json } = await ask('rooks', more, stranger);
      expect(status, more).to.equal(401);
      expect(json).to.have.property('error');
    }
    for (const more of ['&resolve=false', '&resolve=OFF', '&resolve=', '&offset=']) {
      expect((await ask('rooks', more, stranger)).status, more).to.equal(200);
    }
    expect((await ask('rook', '&resolve=true', await town.appOnly())).status).to.equal(401);
  });

  it('requires words and a non-negative offset, and finds nothing for a limit of 0', async () => {
    expect((await ask('')).json).to.deep.equal({
      error: 'param is missing or the value is empty or invalid: q',
    });
    for (const more of ['&limit=-1', '&offset=-1'])
      expect((await ask('rook', more)).status, more).to.equal(400);
    expect(await accts('rook', '&limit=0')).to.deep.equal([]);
    expect((await ask('x'.repeat(5_000))).status).to.equal(200);
  });

  it('finds hashtags by their prefix: the exact name first, then the shortest', async () => {
    await post(rook, '#BlåhajFriends #Blåhaj #blahajs');
    for (const q of ['blahaj', '#blahaj', 'BLÅHAJ', '＃blåhaj', ' #Blåhaj ']) {
      expect(await tags(q), q).to.deep.equal(['Blåhaj', 'blahajs', 'BlåhajFriends']);
    }
    expect(await tags('blah')).to.deep.equal(['Blåhaj', 'blahajs', 'BlåhajFriends']);
    expect(await tags('lahaj')).to.deep.equal([]);
    expect(await tags('@blahaj')).to.deep.equal([]);
    expect(await tags('blahaj', '&type=hashtags&limit=1')).to.deep.equal(['Blåhaj']);
    expect(await tags('blahaj', '&type=hashtags&limit=1&offset=1')).to.deep.equal(['blahajs']);
    expect(await tags('blahaj', '&type=hashtags&offset=2')).to.deep.equal(['BlåhajFriends']);
    expect(await tags('blahaj', '&type=hashtags&offset=3')).to.deep.equal([]);
    expect(await tags('blahaj', '&limit=1&offset=1')).to.deep.equal(['Blåhaj']);
  });

  it('renders hashtags like the endpoint of one', async () => {
    await post(me, 'A #Rookery_Tale');
    await me.post('/api/v1/tags/rookery_tale/follow');
    const [found] = (await search('rookery_tale')).hashtags;
    expect(found).to.deep.equal((await me.get<Tag>('/api/v1/tags/rookery_tale')).json);
    expect(found).to.deep.include({ name: 'Rookery_Tale', following: true, featuring: false });
    expect(found?.history).to.have.length(7);
    expect(found?.history[0]).to.deep.include({ uses: '1', accounts: '1' });
    expect((await search('rookery_tale', '', town.nobody)).hashtags[0]).to.not.have.property('following');
  });

  it('does not reveal hashtags that occur in private posts only', async () => {
    await post(rook, '@rook #surpriseparty', { visibility: 'direct' });
    await post(rook, '#surpriseguest', { visibility: 'private' });
    const { id } = await post(rook, '#surprisecake', { visibility: 'unlisted' });
    expect(await tags('surprise')).to.deep.equal(['surprisecake']);
    await rook.delete(`/api/v1/statuses/${id}`);
    expect(await tags('surprise')).to.deep.equal([]);
    await me.post('/api/v1/tags/surpriseparty/follow');
    expect(await tags('surprise')).to.deep.equal(['surpriseparty']);
    expect(await tags('surprise', '', rook)).to.deep.equal([]);
  });

  it('leaves out unreviewed hashtags on request, except for the exact name', async () => {
    await post(rook, '#trend #trending');
    expect(await tags('trend')).to.deep.equal(['trend', 'trending']);
    expect(await tags('trend', '&exclude_unreviewed=true')).to.deep.equal(['trend']);
    expect(await tags('tren', '&exclude_unreviewed=true')).to.deep.equal([]);
    expect(await tags('tren', '&exclude_unreviewed=false')).to.deep.equal(['trend', 'trending']);
  });

  it('pages accounts by offset when a type is given', async () => {
    const all = await accts('rook', '&type=accounts');
    expect(all).to.have.length.above(1);
    expect(await accts('rook', '&type=accounts&limit=1')).to.deep.equal(all.slice(0, 1));
    expect(await accts('rook', '&type=accounts&limit=1&offset=1')).to.deep.equal(all.slice(1, 2));
    expect(await accts('rook', '&offset=1')).to.deep.equal(all);
  });

  it('asks other servers only on request, and for accounts at once', async () => {
    const { services } = town.app.contextDependencies;
    const { resolver } = services;
    const asked: string[] = [];
    services.resolver = {
      ...resolver,
      resolve: (query) => {
        asked.push(query);
        return query.startsWith('https:') ? Promise.resolve({ account: far }) : Promise.resolve(undefined);
      },
    };
    try {
      expect(await accts('https://elsewhere.example/@rook')).to.deep.equal([]);
      await search('new@far.example');
      expect(asked).to.deep.equal([]);
      expect(await accts('https://elsewhere.example/@rook', '&resolve=true')).to.deep.equal([
        'Rook@far.example',
      ]);
      await search('new@far.example', '&resolve=true');
      for (const q of ['rook', '@rook', 'rook@rookery.example', 'two words', 'new@', '#tag']) {
        await search(q, '&resolve=true');
      }
      await search('new@far.example', '&resolve=true&type=accounts&offset=5');
      await me.get<Account[]>('/api/v1/accounts/search?q=newer@far.example&resolve=true');
      await me.get<Account[]>('/api/v1/accounts/search?q=newest@far.example');
      const expected = ['https://elsewhere.example/@rook', 'new@far.example', 'newer@far.example'];
      expect(asked).to.deep.equal(expected);
    } finally {
      services.resolver = resolver;
    }
  });

  it('has no first version', async () => {
    const { status, json } = await me.get('/api/v1/search?q=rook');
    const unknown = await me.get('/api/v1/no-such-thing');
    expect(status).to.equal(404);
    expect(json).to.deep.equal(unknown.json);
  });
});
