import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AdminHealth } from '#mastodon/schemas/index.ts';
import { signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { textIn } from '../web/notices-support.ts';
import { statementsOfPage } from './support.ts';

const HEALTH = '/api/v1/admin/health';

describeTown('The health of the server in the console', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let mod: Person;
  let browser: Browser;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-health-'));
    owner = await town.staff('owner', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    await town.person('alice');
    browser = await signedIn(town.server, 'owner');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has every part that rookery doctor looks at, room, versions and connections', async () => {
    const health = await ok(owner.get<AdminHealth>(HEALTH));
    const { stdout } = await rookeryBeside(town.app, 'doctor');
    for (const { name } of health.findings) expect(stdout).to.match(new RegExp(`^${name} `, 'm'));
    expect(health.findings).to.have.length(stdout.trim().split('\n').length - 1);
    expect(health.disk?.total).to.be.greaterThan(health.disk?.free ?? 0);
    expect(health.database?.version).to.match(/^\d+/);
    expect(health.database?.connections).to.be.greaterThan(0);
    expect(health.versions.map(({ key }) => key)).to.include.members(['rookery', 'node']);
    expect([health.redis, health.event_log]).to.deep.equal(['unused', 'postgresql']);
  });

  it('says that no backup is recorded, and shows the last one once it was made', async () => {
    expect(textIn(await browser.open('/admin/health'))).to.contain('No backup yet');
    const dir = join(folder, 'backup');
    const { code, stderr } = await rookeryBeside(town.app, 'backup', dir, '--no-keys');
    expect(code, stderr).to.equal(0);
    const { backups } = await ok(owner.get<AdminHealth>(HEALTH));
    expect(backups).to.have.length(1);
    expect(backups[0]).to.include({ folder: dir, keys: false, media: 'files' });
    expect(Number(backups[0]?.position)).to.be.greaterThan(0);
    const page = textIn(await browser.open('/admin/health'));
    expect(page).to.contain(dir).and.to.contain('Last backup');
  });

  it('is closed to users without a role, and to roles without the permission', async () => {
    for (const [username, status] of [
      ['alice', 404],
      ['mod', 403],
    ] as const) {
      const other = await signedIn(town.server, username);
      expect((await other.open('/admin/health')).status).to.equal(status);
    }
    expect((await mod.get(HEALTH)).status).to.equal(403);
    expect((await town.nobody.get(HEALTH)).status).to.equal(403);
  });

  it('costs at most six statements', async () => {
    await browser.open('/admin/health');
    const statements = await statementsOfPage(town.app.db, () => browser.open('/admin/health'));
    expect(statements.length, statements.join(' ')).to.be.at.most(6);
  });
});

describeTown('The health of a server of which parts cannot be looked at', function (town) {
  this.timeout(60_000);
  const away = async (...tables: string[]): Promise<void> => {
    for (const table of tables)
      await town.app.db.query(`alter table durable.${table} rename to ${table}_away`);
  };
  const back = async (...tables: string[]): Promise<void> => {
    for (const table of tables)
      await town.app.db.query(`alter table durable.${table}_away rename to ${table}`);
  };

  it('names these, shows the others, and reports nothing as altered', async () => {
    const owner = await town.staff('owner', 'Owner');
    const browser = await signedIn(town.server, 'owner');
    await town.waitUntilIdle();
    await away('backups', 'log_checkpoints');
    const health = await ok(owner.get<AdminHealth>(HEALTH));
    const states = Object.fromEntries(health.findings.map(({ name, state }) => [name, state]));
    expect(states).to.include({ log: 'ok', proofs: 'broken', tokens: 'ok', database: 'broken' });
    const { text } = health.findings.find(({ name }) => name === 'proofs') ?? expect.fail('no finding');
    expect(text).to.match(/^cannot be looked at: .*log_checkpoints/);
    expect([health.database, health.backups]).to.deep.equal([null, []]);
    expect(health.disk?.total).to.be.greaterThan(0);
    const page = await browser.open('/admin/health');
    expect(page.status).to.equal(200);
    expect(textIn(page)).to.contain('Does not answer').and.to.contain('the last backups are unknown');
    await back('backups', 'log_checkpoints');
    expect((await ok(owner.get<AdminHealth>(HEALTH))).database?.version).to.match(/^\d+/);
  });
});
