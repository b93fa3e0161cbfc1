import { expect } from 'chai';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown } from '../support/people.ts';

describeTown('rookery accounts delete', function (town) {
  this.timeout(60_000);
  before(async function () {
    this.timeout(120_000);
  });

  it('erases an account that was not suspended, and requires --yes', async () => {
    const person = await town.person('willow', { note: 'canaryplant' });
    await town.waitUntilIdle();
    const before = await town.events();
    const unconfirmed = await rookeryBeside(town.app, 'accounts', 'delete', 'willow');
    expect(unconfirmed).to.deep.include({ code: 64, stdout: '', stderr: 'Nothing was deleted: say --yes\n' });
    const unknown = await rookeryBeside(town.app, 'accounts', 'delete', 'nobody', '--yes');
    expect(unknown).to.deep.include({ code: 1, stderr: 'There is no account @nobody here\n' });
    expect(await town.events()).to.equal(before);
    const done = await rookeryBeside(town.app, 'accounts', 'delete', '@willow', '--yes');
    expect(done).to.deep.equal({ code: 0, stdout: 'OK\n', stderr: '' });
    await town.waitUntilIdle();
    expect((await person.get('/api/v1/accounts/verify_credentials')).status).to.equal(401);
    const [row] = await town.app.db.query<{ body: string }>('select body from accounts where id = $1', [
      person.id,
    ]);
    expect(row?.body).not.to.contain('canaryplant');
    const again = await rookeryBeside(town.app, 'accounts', 'delete', 'willow', '--yes');
    expect(again).to.deep.include({ code: 1, stderr: 'This action is not allowed\n' });
  });

  it('lets the database remove dead rows soon after any erasure', async () => {
    const { db } = town.app;
    await town.person('alder', { note: 'soonercanary' });
    await town.waitUntilIdle();
    await rookeryBeside(town.app, 'accounts', 'delete', 'alder', '--yes');
    await town.waitUntilIdle();
    const [job] = await db.query(`select 1 from jobs.job where name = 'clean-erased'`);
    expect(job).to.not.equal(undefined);
    await db.query('select pg_stat_force_next_flush()').catch(() => undefined);
    await town.app.contextDependencies.services.personalData.clean();
    const [row] = await db.query<{ vacuumed: number }>(
      `select count(*)::int as vacuumed from pg_stat_user_tables where last_vacuum is not null`,
    );
    expect(row?.vacuumed).to.be.greaterThan(0);
  });
});
