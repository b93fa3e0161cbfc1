import { expect } from 'chai';
import type { Status } from '../../queries/entities/schemas/index.ts';
import { findStatuses } from '../../queries/statuses/find.ts';
import type { RequestContext } from '../../src/kernel/context.ts';
import type { Db } from '../../src/kernel/read.ts';
import { startTown, type Person, type Town } from '../support/people.ts';

describe('What is the same of statuses for every reader', () => {
  let town: Town;
  let alice: Person;
  let ids: string[];
  /** As another process has it: with a memory of its own. */
  let statements: string[] = [];
  let connections = 1;
  let db: Db;

  before(async () => {
    town = await startTown();
    alice = await town.person('alice');
    ids = [];
    for (const status of ['one', 'two', 'three'])
      ids.push((await alice.post<Status>('/api/v1/statuses', { status })).json.id);
    await town.settle();
    db = {
      connections: () => connections,
      query: (statement, values) => {
        statements.push(typeof statement === 'string' ? statement : statement.name);
        return town.app.db.query(statement, values);
      },
    };
  });
  after(() => town.close());

  const read = async (): Promise<Status[]> => {
    statements = [];
    const ctx = { db, instance: town.app.instance } as RequestContext;
    const texts = await findStatuses(ctx, ids);
    return texts.map((text) => JSON.parse(text ?? 'null') as Status);
  };
  const contents = (page: readonly Status[]): string[] => page.map(({ content }) => content);

  it('is read once, by one statement for a page', async () => {
    const first = await read();
    expect(statements).to.deep.equal(['statuses_find', 'status_bodies']);
    expect(contents(first)).to.deep.equal(['<p>one</p>', '<p>two</p>', '<p>three</p>']);
    expect(await read()).to.deep.equal(first);
    expect(statements).to.deep.equal(['statuses_find']);
  });

  it('is read again when somebody has changed the status', async () => {
    await read();
    await alice.put(`/api/v1/statuses/${ids[1]}`, { status: 'zwei' });
    expect(contents(await read())).to.deep.equal(['<p>one</p>', '<p>zwei</p>', '<p>three</p>']);
    expect(statements).to.deep.equal(['statuses_find', 'status_bodies']);
  });

  it('is read again when the author has changed', async () => {
    await read();
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice A.' });
    for (const { account } of await read()) expect(account.display_name).to.equal('Alice A.');
  });

  it('is left alone when only counters change, which are shown all the same', async () => {
    await read();
    await alice.post(`/api/v1/statuses/${ids[0]}/favourite`);
    expect((await read())[0]?.favourites_count).to.equal(1);
    expect(statements).to.deep.equal(['statuses_find']);
  });

  it('is forgotten when the database was away', async () => {
    const before = await read();
    connections += 1;
    expect(await read()).to.deep.equal(before);
    expect(statements).to.deep.equal(['statuses_find', 'status_bodies']);
  });
});
