import { expect } from 'chai';
import { cancelMigration, migrateAccount } from '#commands/accounts/index.ts';
import type { Account } from '#mastodon/schemas/index.ts';
import { type AccountSearch, searchAccounts } from '#queries/accounts/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';
import { statementsOfRequests } from '../support/statements.ts';

const SEARCH = '/api/v1/accounts/search';

describeTown('Account search', function (town) {
  this.timeout(120_000);
  let me: Person;
  let rook: Person;
  let rookery: Person;
  let zoe: Person;
  let farRook: string;
  before(async () => {
    me = await town.person('me');
    rook = await town.person('rook', { display_name: 'Castle' });
    rookery = await town.person('rookery_fan', { display_name: 'Łucja Ångström' });
    zoe = await town.person('zoe', { display_name: 'Zoë Rookwood, MD' });
    farRook = await remoteAccount(town.app, 'Rook', 'far.example');
  });

  const found = async (q: string, more = '', who: Client = me): Promise<string[]> => {
    const answer = await who.get<Account[]>(`${SEARCH}?q=${encodeURIComponent(q)}${more}`);
    expect(answer.status, `${q} ${JSON.stringify(answer.json)}`).to.equal(200);
    return answer.json.map(({ acct }) => acct);
  };

  it('requires a user token with the scope', async () => {
    expect((await town.nobody.get(`${SEARCH}?q=rook`)).status).to.equal(401);
    expect((await (await town.appOnly()).get(`${SEARCH}?q=rook`)).status).to.equal(422);
    expect((await (await me.withScopes('read:statuses')).get(`${SEARCH}?q=rook`)).status).to.equal(403);
    expect(await found('zoe', '', await me.withScopes('read:accounts'))).to.deep.equal(['zoe']);
  });

  it('finds an account by its handle in any form', async () => {
    for (const q of ['zoe', '@zoe', ' ZOE ', 'zoe@rookery.example', '@Zoe@ROOKERY.example', 'zoe@rook']) {
      expect(await found(q), q).to.deep.equal(['zoe']);
    }
    for (const q of ['rook@far.example', '@ROOK@far.example', 'rook@f']) {
      expect(await found(q), q).to.deep.equal(['Rook@far.example']);
    }
    expect(await found('rook@')).to.deep.equal(['rook', 'Rook@far.example']);
    for (const q of ['zoe@far.example', 'zoe@rookery.example.org', 'oe', 'far.example', '@']) {
      expect(await found(q), q).to.deep.equal([]);
    }
  });

  it('finds accounts by prefixes of the handle and of words in the name', async () => {
    expect(await found('rookery_f')).to.deep.equal(['rookery_fan']);
    expect(await found('fan')).to.deep.equal(['rookery_fan']);
    expect(await found('cast')).to.deep.equal(['rook']);
    expect(await found('rookw')).to.deep.equal(['zoe']);
    expect(await found('rook')).to.have.members(['rook', 'rookery_fan', 'zoe', 'Rook@far.example']);
  });

  it('requires all words, in name or handle, whatever the order, case and accents', async () => {
    for (const q of ['zoe rookwood', 'ROOKWOOD Zoé', 'Rook, zo.', 'md zoe']) {
      expect(await found(q), q).to.deep.equal(['zoe']);
    }
    for (const q of ['lucja', 'ŁUCJA angstrom', 'Ångström', 'A\u030Angstrom fan']) {
      expect(await found(q), q).to.deep.equal(['rookery_fan']);
    }
    expect(await found('zoe castle')).to.deep.equal([]);
  });

  it('finds a new name immediately, and the old one no longer', async () => {
    await town.change(rook, { display_name: 'Tower' });
    expect(await found('tower')).to.deep.equal(['rook']);
    expect(await found('castle')).to.deep.equal([]);
    expect(await found('rook tower')).to.deep.equal(['rook']);
    await town.change(rook, { display_name: 'Castle' });
  });

  it('lists the exact handle first, then followed accounts, then those with more followers', async () => {
    expect(await found('rook')).to.deep.equal(['rook', 'rookery_fan', 'zoe', 'Rook@far.example']);
    await letFollow(town.app, rook.id, rookery.id);
    await letFollow(town.app, rook.id, zoe.id);
    for (const fan of [rookery.id, farRook]) await letFollow(town.app, fan, zoe.id);
    expect(await found('rook')).to.deep.equal(['rook', 'zoe', 'rookery_fan', 'Rook@far.example']);
    await letFollow(town.app, me.id, rookery.id);
    expect(await found('rook')).to.deep.equal(['rook', 'rookery_fan', 'zoe', 'Rook@far.example']);
    expect((await found('rook@far.example'))[0]).to.equal('Rook@far.example');
  });

  it('can be limited to followed accounts', async () => {
    expect(await found('rook', '&following=true')).to.deep.equal(['rookery_fan']);
    expect(await found('zoe', '&following=1')).to.deep.equal([]);
    expect(await found('zoe', '&following=false')).to.deep.equal(['zoe']);
  });

  it('is paged by offset', async () => {
    const all = await found('rook');
    expect([
      ...(await found('rook', '&limit=3')),
      ...(await found('rook', '&limit=3&offset=3')),
    ]).to.deep.equal(all);
    expect(await found('rook', '&offset=4')).to.deep.equal([]);
    expect(await found('rook', '&limit=1000&offset=1')).to.deep.equal(all.slice(1));
  });

  it('fills a page although some matches are hidden', async () => {
    await me.post(`/api/v1/accounts/${rook.id}/block`);
    expect(await found('roo', '&limit=2')).to.deep.equal(['rookery_fan', 'zoe']);
    expect(await found('roo', '&limit=2&offset=2')).to.deep.equal(['Rook@far.example']);
    await me.post(`/api/v1/accounts/${rook.id}/unblock`);
  });

  it('finds blocked and blocking accounts only by their exact handle', async () => {
    for (const [one, other] of [
      [me, zoe],
      [zoe, me],
    ] as const) {
      await one.post(`/api/v1/accounts/${other.id}/block`);
      expect(await found('zo')).to.deep.equal([]);
      expect(await found('zoe')).to.deep.equal(['zoe']);
      expect(await found('@zoe@rookery.example')).to.deep.equal(['zoe']);
      expect(await found('me', '', zoe)).to.deep.equal(['me']);
      expect(await found('zoe', '', rook)).to.deep.equal(['zoe']);
      await one.post(`/api/v1/accounts/${other.id}/unblock`);
      expect(await found('zoe')).to.deep.equal(['zoe']);
    }
  });

  it("finds muted accounts and the reader's own", async () => {
    await me.post(`/api/v1/accounts/${zoe.id}/mute`);
    expect(await found('zoe')).to.deep.equal(['zoe']);
    await me.post(`/api/v1/accounts/${zoe.id}/unmute`);
    expect(await found('me')).to.deep.equal(['me']);
  });

  it('finds no suspended and no unconfirmed accounts', async () => {
    const bad = await town.person('baddy');
    expect(await found('baddy')).to.deep.equal(['baddy']);
    await town.suspend(bad);
    expect(await found('baddy')).to.deep.equal([]);
    const token = await town.appOnly();
    const { status } = await token.post('/api/v1/accounts', {
      username: 'newcomer',
      email: 'newcomer@example.org',
      password: 'correct horse battery',
      agreement: true,
      locale: 'en',
    });
    expect(status).to.equal(200);
    expect((await town.nobody.get('/api/v1/accounts/lookup?acct=newcomer')).status).to.equal(200);
    expect(await found('newcomer')).to.deep.equal([]);
  });

  it('lists moved accounts last, except for their exact handle', async () => {
    const old = await town.person('mover');
    const fresh = await town.person('mover_new');
    const other = await town.person('mover_other');
    await migrateAccount(town.app.systemContext('spec'), {
      accountId: fresh.id,
      targetId: other.id,
      force: true,
    });
    await letFollow(town.app, me.id, old.id);
    await town.waitUntilIdle();
    expect(await found('move')).to.deep.equal(['mover', 'mover_other', 'mover_new']);
    expect(await found('mover_new')).to.deep.equal(['mover_new']);
    const { json } = await me.get<Account[]>(`${SEARCH}?q=mover_new`);
    expect(json[0]?.moved).to.include({ acct: 'mover_other' });
    await cancelMigration(town.app.systemContext('spec'), fresh.id);
    await town.waitUntilIdle();
    expect(await found('move')).to.deep.equal(['mover', 'mover_new', 'mover_other']);
  });

  it('shows accounts as the account endpoint does', async () => {
    const { json } = await me.get<Account[]>(`${SEARCH}?q=zoe&resolve=true`);
    expect(json[0]).to.deep.equal((await me.get(`/api/v1/accounts/${zoe.id}`)).json);
  });

  it('treats no character as search syntax', async () => {
    const odd = [
      "'",
      "zoe'",
      "a'b\\",
      'zoe:*',
      'a & b',
      '!zoe',
      '(zoe',
      'zoe | rook',
      '<->',
      '\\',
      '%',
      '_',
      '*',
    ];
    const unusual = ['\u0301', '\u0301@\u0301', 'ﷺ', '…', '⑴', '\ud83d\ude00', ' ', ''];
    for (const q of [...odd, ...unusual]) expect(await found(q), q).to.be.an('array');
    expect(await found('zoe:*')).to.deep.equal(['zoe']);
    expect(await found('zoe | rook')).to.deep.equal(['zoe']);
    expect(await found('zoe | castle')).to.deep.equal([]);
    expect((await me.get(SEARCH)).json).to.deep.equal([]);
    expect((await me.get(`${SEARCH}?q=zoe%00`)).status).to.equal(400);
  });

  it('limits the query, the words and the offset', async () => {
    expect((await me.get(`${SEARCH}?q=${'a'.repeat(501)}`)).status).to.equal(422);
    expect(await found('ﷺ'.repeat(500))).to.deep.equal([]);
    const words = Array.from({ length: 120 }, (_, index) => index).join(' ');
    expect(await found(words)).to.deep.equal([]);
    expect(await found('zoe', '&offset=999999999999')).to.deep.equal([]);
    expect(await found('zoe', '&limit=-1&offset=x')).to.deep.equal(['zoe']);
  });

  it('runs one statement per page', async () => {
    await town.waitUntilIdle();
    const statements = await statementsOfRequests(town.app.db, async () => {
      expect(await found('rook')).to.have.length(4);
    });
    expect(statements.filter((name) => name.startsWith('account'))).to.deep.equal(['accounts_search']);
    expect(statements.length).to.be.at.most(2);
  });

  it('can be limited to the exact handle, for readers without a token', async () => {
    const { db, instance } = town.app.systemContext('spec');
    const search = async (asked: Partial<AccountSearch>): Promise<string[]> => {
      const request = { q: 'rook', limit: 40, offset: 0, ...asked };
      const texts = await searchAccounts({ db, instance, viewer: undefined }, request);
      return texts.map((text) => /"acct":"([^"]+)"/.exec(text)?.[1] ?? '');
    };
    expect(await search({})).to.have.length(4);
    expect(await search({ following: true })).to.deep.equal([]);
    expect(await search({ exact: true })).to.deep.equal(['rook']);
    expect(await search({ exact: true, q: '@rook@far.example' })).to.deep.equal(['Rook@far.example']);
    for (const q of ['roo', 'castle', 'röok', 'zoe rookwood']) {
      expect(await search({ exact: true, q }), q).to.deep.equal([]);
    }
  });
});
