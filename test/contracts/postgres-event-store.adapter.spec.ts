import { expect } from 'chai';
import pg from 'pg';
import type { EventStore } from '#storage/eventlog/port.ts';
import { NO_STREAM } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { freshDatabase } from '../support/database.ts';
import { describeEventStoreContract } from './event-store.ts';

describeEventStoreContract('Postgres', async () => {
  const url = await freshDatabase();
  const store = await openPostgresEventStore(url);
  return { store, reopen: () => openPostgresEventStore(url), close: () => store.close() };
});

describe('The event log on Postgres while other writers fail', () => {
  let url: string;
  let store: EventStore;
  let other: pg.Client;

  beforeEach(async () => {
    url = await freshDatabase();
    store = await openPostgresEventStore(url);
    other = new pg.Client({ connectionString: url });
    other.on('error', () => undefined);
    await other.connect();
  });
  afterEach(async () => {
    await other.end().catch(() => undefined);
    await store.close();
  });

  const event = (n: number) => ({
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    type: 'Tested',
    data: `{"n":${n}}`,
    metadata: '{}',
  });
  const appendRaw = (n: number) =>
    other.query(
      `select * from eventlog.append(array[$1], array[-1], array[1], array[1], array[$2::uuid], array['Tested'], array['{}'], array['{}'])`,
      [`raw-${n}`, event(n).id],
    );

  it('uses no position for an append that was rolled back', async () => {
    await other.query('begin');
    await appendRaw(1);
    await other.query('rollback');
    const { position } = await store.append('a', NO_STREAM, [event(2)]);
    expect(position).to.equal(1n);
  });

  it('continues after another writer was killed during its append', async () => {
    await other.query('begin');
    await appendRaw(1);
    const waiting = store.append('a', NO_STREAM, [event(2)]);
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    const killer = new pg.Client({ connectionString: url });
    await killer.connect();
    await killer.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await killer.end();
    expect(await waiting).to.deep.equal({ revision: 0, position: 1n });
  });

  it('stays readable while another transaction is open', async () => {
    await store.append('a', NO_STREAM, [event(1)]);
    await other.query('begin');
    await appendRaw(2);
    const during = await store.readAll(0n, 10);
    expect(during.map(({ stream }) => stream)).to.deep.equal(['a']);
    await other.query('commit');
    const after = await store.readAll(1n, 10);
    expect(after.map(({ stream }) => stream)).to.deep.equal(['raw-2']);
  });

  it('appends again after its connection was cut', async () => {
    await store.append('a', NO_STREAM, [event(1)]);
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'rookery log%'`,
    );
    expect(await store.append('a', 0, [event(2)])).to.deep.equal({ revision: 1, position: 2n });
  });

  it('stores the other appends of a batch when one append fails', async () => {
    const good = store.append('good', NO_STREAM, [event(1)]);
    const bad = store
      .append('bad', NO_STREAM, [{ ...event(2), id: 'no uuid' }])
      .catch((error: unknown) => error);
    const late = store.append('late', 7, [event(3)]).catch((error: unknown) => error);
    expect((await good).revision).to.equal(0);
    expect(await bad).to.be.instanceOf(Error);
    expect(await late).to.have.property('name', 'RevisionConflict');
  });
});
