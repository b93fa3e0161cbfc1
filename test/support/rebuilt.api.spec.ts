import { expect } from 'chai';
import { differencesFromLog } from './rebuilt.ts';
import { startTestServer, type TestServer } from './server.ts';

describe('The comparison of read models with the log', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.user('alice');
    await server.waitUntilIdle();
  });
  after(() => server.close());

  it('finds nothing when they agree, also when it runs again', async () => {
    for (const _ of [1, 2]) expect(await differencesFromLog(server.app)).to.deep.equal([]);
  });

  it('names the tables that have a changed, missing or surplus row', async () => {
    const { db } = server.app;
    const found = async (): Promise<string[]> =>
      (await differencesFromLog(server.app)).map(({ table }) => table);
    await db.query(`update readmodels.accounts set username = 'malice'`);
    expect(await found()).to.deep.equal(['accounts']);
    await db.query(`update readmodels.accounts set username = 'alice'`);
    await db.query('create table public.kept as table readmodels.users');
    await db.query('delete from readmodels.users');
    expect(await found()).to.deep.equal(['users']);
    await db.query('insert into readmodels.users table public.kept');
    await db.query(`insert into readmodels.follow_uris values (1, 2, 'x')`);
    expect(await found()).to.deep.equal(['follow_uris']);
    await db.query('delete from readmodels.follow_uris');
    expect(await found()).to.deep.equal([]);
  });
});
