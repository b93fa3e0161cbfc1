import { expect } from 'chai';
import { migrateAccount } from '#commands/accounts/index.ts';
import type { Instance, RequestContext } from '#kernel/context.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import type { Db } from '#kernel/read.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { findStatuses } from '#queries/statuses/find.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('The cached part of statuses that is the same for every viewer', (town) => {
  let alice: Person;
  let ids: string[];
  /** The reader of another process with its own cache. */
  let statements: string[] = [];
  let connections = 1;
  let instance: Instance;
  const emojis = {
    revision: 0,
    json: (shortcode: string) => `{"shortcode":"${shortcode}${emojis.revision}"}`,
    listed: () => '[]',
  };
  let db: Db;

  before(async () => {
    alice = await town.person('alice');
    ids = [];
    for (const status of ['one', 'two', 'three :cat:'])
      ids.push((await alice.post<Status>('/api/v1/statuses', { status })).json.id);
    await town.waitUntilIdle();
    instance = { ...town.app.instance, emojis };
    db = {
      connections: () => connections,
      query: (statement, values) => {
        statements.push(typeof statement === 'string' ? statement : statement.name);
        return town.app.db.query(statement, values);
      },
    };
  });

  const read = async (): Promise<Status[]> => {
    await town.waitUntilIdle();
    statements = [];
    const ctx = { db, instance } as RequestContext;
    const found = await findStatuses(ctx, ids);
    return found.map((status) => parseJson(status ?? ['null']) as Status);
  };
  const contents = (page: readonly Status[]): string[] => page.map(({ content }) => content);

  it('is read once, by one statement for a page', async () => {
    const first = await read();
    expect(statements).to.deep.equal(['statuses_find', 'statuses_shared']);
    expect(contents(first)).to.deep.equal(['<p>one</p>', '<p>two</p>', '<p>three :cat:</p>']);
    expect(await read()).to.deep.equal(first);
    expect(statements).to.deep.equal(['statuses_find']);
  });

  it('is read again after an edit of the status', async () => {
    await read();
    await alice.put(`/api/v1/statuses/${ids[1]}`, { status: 'zwei' });
    expect(contents(await read())).to.deep.equal(['<p>one</p>', '<p>zwei</p>', '<p>three :cat:</p>']);
    expect(statements).to.deep.equal(['statuses_find', 'statuses_shared']);
  });

  it('is read again after a change of the author', async () => {
    await read();
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice A.' });
    for (const { account } of await read()) expect(account.display_name).to.equal('Alice A.');
  });

  it('is read again after a change of a count', async () => {
    await read();
    await alice.post(`/api/v1/statuses/${ids[0]}/favourite`);
    expect((await read())[0]?.favourites_count).to.equal(1);
    expect(statements).to.deep.equal(['statuses_find', 'statuses_shared']);
    await alice.post('/api/v1/statuses', { status: 'four' });
    await town.waitUntilIdle();
    for (const { account } of await read()) expect(account.statuses_count).to.equal(4);
  });

  it('is read again after a change of the account that the author moved to', async () => {
    const bob = await town.person('bob');
    await migrateAccount(town.app.systemContext('spec'), {
      accountId: alice.id,
      targetId: bob.id,
      force: false,
    });
    await town.waitUntilIdle();
    expect((await read())[0]?.account.moved?.display_name).to.equal('');
    await bob.patch('/api/v1/accounts/update_credentials', { display_name: 'Bob' });
    expect((await read())[0]?.account.moved?.display_name).to.equal('Bob');
    await bob.post('/api/v1/statuses', { status: 'Hello' });
    await town.waitUntilIdle();
    expect((await read())[0]?.account.moved?.statuses_count).to.equal(1);
  });

  it('is discarded when custom emojis change', async () => {
    expect((await read())[2]?.emojis).to.deep.equal([{ shortcode: 'cat0' }]);
    emojis.revision += 1;
    expect((await read())[2]?.emojis).to.deep.equal([{ shortcode: 'cat1' }]);
    expect(statements).to.deep.equal(['statuses_find', 'statuses_shared']);
  });

  it('is discarded after the database was disconnected', async () => {
    const before = await read();
    connections += 1;
    expect(await read()).to.deep.equal(before);
    expect(statements).to.deep.equal(['statuses_find', 'statuses_shared']);
  });
});
