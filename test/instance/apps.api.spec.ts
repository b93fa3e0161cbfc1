import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { InstanceSettingsChanged } from '#events/instance.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { instanceSettings, listedApps } from '#queries/instance/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { describeTown } from '../support/people.ts';

const elk = {
  name: 'Elk',
  platform: 'web',
  description: 'A web client',
  website: 'https://elk.zone/',
  address: 'https://elk.zone/{host}',
};

describeTown('rookery settings apps, beside a running server', function (town) {
  this.timeout(90_000);
  let folder: string;

  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'rookery-apps-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, 'settings', ...args);
  const done = async (...args: string[]): Promise<void> => {
    expect(await rookery(...args), args.join(' ')).to.deep.include({ code: 0, stdout: 'OK\n', stderr: '' });
  };
  const fileOf = async (content: unknown): Promise<string> => {
    const file = join(folder, 'apps.json');
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const stored = async () => (await instanceSettings(town.app.db)).apps;
  const changes = async (): Promise<object[]> => {
    const events = await town.app.log.readAll(0n, 10_000);
    return events
      .filter(({ type }) => type === InstanceSettingsChanged.type)
      .map(({ data }) => data as object);
  };

  it('shows the list of the version until another one is set', async () => {
    const { stdout, code } = await rookery('apps');
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^PLATFORM +NAME +ADDRESS +DESCRIPTION$/im)
      .and.match(/^web +Phanpy +https:\/\/phanpy\.social\//m)
      .and.match(/^terminal +toot +/m);
    expect(JSON.parse((await rookery('apps', '--json')).stdout)).to.deep.equal({
      apps: listedApps({ apps: null }),
    });
    expect(await stored()).to.equal(null);
  });

  it('takes a list from a file, which the audit log shows, and prints it again', async () => {
    const boss = await town.staff('boss', 'Owner');
    await done('apps', '--set', await fileOf({ apps: [elk] }));
    expect(await stored()).to.deep.equal([elk]);
    const printed = (await rookery('apps', '--json')).stdout;
    expect(JSON.parse(printed)).to.deep.equal({ apps: [elk] });
    await town.waitUntilIdle();
    const [entry] = (await boss.get<AuditEntry[]>('/api/v1/admin/audit?limit=1')).json;
    expect(entry?.action).to.equal('settings.updated');
    expect(entry?.changes).to.deep.equal([
      {
        field: 'apps',
        before: null,
        after: 'web: Elk, https://elk.zone/{host}, https://elk.zone/, A web client',
        shown: 'whole',
      },
    ]);
    // The same list is no change.
    const before = await changes();
    await done('apps', '--set', await fileOf(printed));
    expect(await changes()).to.deep.equal(before);
  });

  it('is a setting like the others: set and reset know it', async () => {
    await done('set', 'apps', '--file', await fileOf([{ ...elk, name: 'Moose' }]));
    expect(await stored()).to.deep.equal([{ ...elk, name: 'Moose' }]);
    await done('reset', 'apps');
    expect(await stored()).to.equal(null);
    await done('set', 'apps', '[]');
    expect(await stored()).to.deep.equal([]);
    await done('apps', '--reset');
    expect(await stored()).to.equal(null);
  });

  it('refuses a wrong list in one line, and changes nothing', async () => {
    const before = await changes();
    const wrong: [unknown, RegExp][] = [
      ['{', /^apps must be JSON: /],
      [{ apps: Array.from({ length: 51 }, (_, n) => ({ ...elk, name: `App ${n}` })) }, /at most 50 apps/],
      [[{ ...elk, website: 'ftp://elk.zone/' }], /^apps: app 1 \(Elk\): website must be an address/],
      [[{ ...elk, logo: 'x' }], /^apps: app 1 \(Elk\): there is no "logo"; remove it/],
    ];
    for (const [content, message] of wrong) {
      const { code, stdout, stderr } = await rookery('apps', '--set', await fileOf(content));
      expect([code, stdout]).to.deep.equal([64, '']);
      expect(stderr.trimEnd()).to.match(message).and.not.to.contain('\n');
    }
    expect((await rookery('apps', '--set', join(folder, 'nowhere'))).stderr).to.match(/no such file/);
    const both = await rookery('apps', '--set', await fileOf([elk]), '--reset');
    expect(both.code).to.equal(64);
    expect(both.stderr).to.match(/cannot be used with/);
    expect(await changes()).to.deep.equal(before);
  });
});
