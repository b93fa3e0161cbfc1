import { expect } from 'chai';
import { projections } from '#projections/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { send, signUp } from '../support/api-client.ts';
import { inTurn } from '../support/command-line.ts';
import {
  beside,
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

describe('A data folder whose read models lack a column of this version', function () {
  this.timeout(240_000);
  let settings: Settings;
  let rookery: RookeryProcess | undefined;
  let token: string;

  before(async () => {
    settings = await freshSettings({ LOG_LEVEL: 'info' });
    rookery = await startRookery(settings);
    ({ token } = await signUp(rookery.url, settings['DATA_DIR'] ?? '', 'alice'));
    const body = { title: 'Friends', exclusive: true };
    expect((await send(rookery.url, 'POST', '/api/v1/lists', { token, body })).status).to.equal(200);
    await stop();
  });
  after(async () => {
    await rookery?.end();
    await discard(settings);
  });

  const stop = async (): Promise<void> => {
    await rookery?.end();
    rookery = undefined;
  };
  const withDatabase = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
    beside(settings, ({ projectionDb }) => work(projectionDb));
  /** Leaves the tables of a program that had the same version of `lists` without this column. */
  const dropColumn = (db: Database): Promise<unknown> =>
    db.query('alter table readmodels.lists drop column exclusive');
  const builtAt = () =>
    withDatabase((db) =>
      db.query<{ name: string; built_at: string; tables_digest: string | null }>(
        'select name, built_at::text, tables_digest from durable.projections order by name',
      ),
    );

  it('gets it at the start, also from before read models had digests, and others are not rebuilt', async () => {
    const before = await builtAt();
    await withDatabase(async (db) => {
      await dropColumn(db);
      await db.query(
        'alter table durable.projections drop column tables_digest, drop column handlers_digest',
      );
      await db.query(`delete from durable.migrations where name = '20261201000000_projection_digests'`);
    });
    rookery = await startRookery(settings);
    const lists = await send(rookery.url, 'GET', '/api/v1/lists', { token });
    expect([lists.status, lists.body]).to.have.nested.property('[1][0].exclusive', true);
    const said = rookery.output().match(/.*read models rebuilt: .*/g) ?? [];
    expect(said).to.have.length(1);
    expect(JSON.parse(said[0] ?? '')).to.deep.include({ names: ['lists'] });
    const shown = await inTurn(['projections', 'show', 'lists'], settings);
    expect(shown.stdout).to.match(/^code +tables as in this version, handlers as in this version$/m);
    const other = await inTurn(['projections', 'show', 'polls'], settings);
    expect(other.stdout).to.match(/^code +tables as in this version, handlers unknown at its build$/m);
    const looked = await inTurn(['doctor'], settings);
    expect(looked.stdout).to.match(/^projections +\d+ read models, 0 events behind$/m);
    await stop();
    const after = await builtAt();
    expect(after.filter(({ tables_digest }) => tables_digest === null)).to.deep.equal([]);
    const isRebuilt = after.filter(({ built_at }, index) => built_at !== before[index]?.built_at);
    expect([after.length, isRebuilt.map(({ name }) => name)]).to.deep.equal([projections.length, ['lists']]);
    expect(await differences(settings)).to.deep.equal([]);
  });

  it('says so before the start, in the list of read models and to the doctor', async () => {
    await withDatabase(async (db) => {
      await dropColumn(db);
      await db.query(`update durable.projections set tables_digest = 'another' where name = 'lists'`);
    });
    const listed = await inTurn(['projections', 'list'], settings);
    expect(listed.stdout).to.match(
      /^lists .*ok; its tables changed, and the next start of the server rebuilds it$/m,
    );
    const looked = await inTurn(['doctor'], settings);
    expect(looked.stdout).to.match(
      /^projections +warning: tables changed, and the next start rebuilds: lists$/m,
    );
    rookery = await startRookery(settings);
    expect((await send(rookery.url, 'GET', '/api/v1/lists', { token })).status).to.equal(200);
    const again = await inTurn(['projections', 'list'], settings);
    expect(again.stdout).to.match(/^lists .* ok$/m);
  });
});
