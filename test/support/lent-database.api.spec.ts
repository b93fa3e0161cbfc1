import { expect } from 'chai';
import { openDatabase } from '#storage/postgres/db.ts';
import { lendDatabase } from './lent-database.ts';
import { startTestServer } from './server.ts';
import { startedDatabase } from './started-database.ts';

/** Returns all rows of all tables of a database, and the positions of its sequences. */
async function contentsOf(url: string): Promise<Record<string, string>> {
  const db = openDatabase({ url, max: 1, applicationName: 'spec' });
  try {
    const rows = await db.query<{ name: string; content: string }>(
      `select oid::regclass::text as name, case relkind
         when 'S' then query_to_xml('select last_value, is_called from ' || oid::regclass, true, false, '')::text
         else query_to_xml('select * from ' || oid::regclass || ' t order by t::text', true, false, '')::text
           || pg_relation_size(oid) end || relpages || '/' || reltuples as content
       from pg_class where oid >= 16384 and relkind in ('r', 'S') and relnamespace <> 'pg_toast'::regnamespace`,
    );
    return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
  } finally {
    await db.close();
  }
}

describe('A database that test suites share one after another', () => {
  it('is returned to its initial state after each use', async () => {
    const server = await startTestServer();
    const { url } = server.app.config.database;
    const { token } = await server.user('alice');
    await server.call('POST', '/api/v1/statuses', { token, body: { status: 'Something #old' } });
    await server.close();
    const lent = await lendDatabase();
    expect(lent.url, 'it is the one that came back last').to.equal(url);
    expect(await contentsOf(lent.url)).to.deep.equal(await contentsOf(await startedDatabase()));
    await lent.giveBack();
  });

  it('is dropped when anything but rows was changed', async () => {
    for (const change of [
      'create table public.more (id int)',
      'alter table readmodels.accounts alter acct_key drop not null',
      'drop index readmodels.status_tags_status',
      'create function public.more() returns int language sql as $$ select 1 $$',
      'analyze durable.projections',
    ]) {
      const lent = await lendDatabase();
      const db = openDatabase({ url: lent.url, max: 1, applicationName: 'spec' });
      await db.query(change);
      await db.close();
      await lent.giveBack();
      expect((await lendDatabase()).url, change).not.to.equal(lent.url);
    }
  });
});
