import { expect } from 'chai';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { failureOf } from '../support/failure.ts';

describe('A read while its tables are replaced', () => {
  let db: Database;
  const held = Promise.withResolvers<undefined>();

  before(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 4, applicationName: 'test' });
    await db.query('create table public.first as select 1 as n; create table public.second as select 2 as n');
  });
  after(() => db.close());

  const readWaits = (): Promise<void> =>
    eventually(async () => {
      const waiting = await db.query(
        `select from pg_locks where not granted and database =
           (select oid from pg_database where datname = current_database())`,
      );
      expect(waiting).to.have.length(1);
    });

  it('succeeds after a deadlock with the replacement', async () => {
    const replaced = db.transaction(async (transaction) => {
      await transaction.query('lock table public.first in access exclusive mode');
      held.resolve(undefined);
      await readWaits();
      // The reader holds the other table by now, and checks for a deadlock first, since it began to wait first.
      await transaction.query('select pg_sleep(0.2)');
      await transaction.query('lock table public.second in access exclusive mode');
    });
    await held.promise;
    const read = db.query<{ sum: number }>(
      'select s.n + f.n as sum from public.second s, public.first f',
      [],
    );
    expect(await read).to.deep.equal([{ sum: 3 }]);
    await replaced;
  });

  it('succeeds when a table was dropped while it waited', async () => {
    const waiting = Promise.withResolvers<undefined>();
    const replaced = db.transaction(async (transaction) => {
      await transaction.query('lock table public.first in access exclusive mode');
      waiting.resolve(undefined);
      await readWaits();
      await transaction.query('drop table public.first');
      await transaction.query('create table public.first as select 5 as n');
    });
    await waiting.promise;
    expect(await db.query('select n from public.first', [])).to.deep.equal([{ n: 5 }]);
    await replaced;
  });

  it('fails when the table does not exist', async () => {
    expect(await failureOf(db.query('select n from public.third', []))).to.equal('42P01');
  });
});
