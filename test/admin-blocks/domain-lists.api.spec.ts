import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AdminDomainBlock } from '#mastodon/schemas/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { letAccept, letFollow, remoteAccount } from '../support/remote.ts';

describe('Files with lists of domains beside a running server', function () {
  this.timeout(90_000);
  let town: Town;
  let admin: Person;
  let folder: string;
  before(async () => {
    town = await startTown();
    admin = await town.staff('admin', 'Admin');
    folder = await mkdtemp(join(tmpdir(), 'rookery-lists-'));
  });
  after(async () => {
    await town.close();
    await rm(folder, { recursive: true, force: true });
  });

  const HEADER = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';
  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, 'domains', ...args);
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const blocks = async (): Promise<[string, string, boolean, string | null][]> => {
    const { status, json } = await admin.get<AdminDomainBlock[]>('/api/v1/admin/domain_blocks');
    expect(status).to.equal(200);
    return json.map((block) => [block.domain, block.severity, block.reject_media, block.public_comment]);
  };

  it('are imported line by line, and unusable lines are reported', async () => {
    const list = await file(
      'blocks.csv',
      `\uFEFF${HEADER}\r\nbad.example,silence,true,false,"Spam, mostly",false\r\nba*.example,suspend\r\nworse.example,suspend,,,,\r\n`,
    );
    const before = await town.events();
    const said = `line 3: "ba*.example" is no domain\n`;
    expect(await rookery('import', list, '--dry-run')).to.deep.equal({
      code: 1,
      stdout:
        'add\tbad.example\tseverity="silence"\treject_media=true\treject_reports=false\tobfuscate=false\tpublic_comment="Spam, mostly"\n' +
        'add\tworse.example\tseverity="suspend"\treject_media=false\treject_reports=false\tobfuscate=false\tpublic_comment=null\n' +
        'Would add 2, change 0, unchanged 0, invalid 1\n',
      stderr: said,
    });
    expect(await town.events(), 'a dry run records nothing').to.equal(before);
    expect(await rookery('import', list)).to.deep.equal({
      code: 1,
      stdout: 'Added 2, changed 0, unchanged 0, invalid 1\n',
      stderr: said,
    });
    expect(await blocks()).to.deep.equal([
      ['worse.example', 'suspend', false, null],
      ['bad.example', 'silence', true, 'Spam, mostly'],
    ]);
  });

  it('make blocks stricter, and weaker only with --merge replace', async () => {
    const list = await file('merge.csv', `${HEADER}\nbad.example,suspend,false\nworse.example,silence\n`);
    expect(await rookery('import', list)).to.deep.equal({
      code: 0,
      stdout: 'Added 0, changed 1, unchanged 1, invalid 0\n',
      stderr: '',
    });
    expect(await blocks()).to.deep.equal([
      ['worse.example', 'suspend', false, null],
      ['bad.example', 'suspend', true, 'Spam, mostly'],
    ]);
    expect((await rookery('import', list)).stdout).to.equal('Added 0, changed 0, unchanged 2, invalid 0\n');
    expect((await rookery('import', list, '--merge', 'replace')).stdout).to.equal(
      'Added 0, changed 2, unchanged 0, invalid 0\n',
    );
    expect(await blocks()).to.deep.equal([
      ['worse.example', 'silence', false, null],
      ['bad.example', 'suspend', false, 'Spam, mostly'],
    ]);
  });

  it('are exported so that importing them again changes nothing', async () => {
    const written = `${HEADER}\r\nbad.example,suspend,false,false,"Spam, mostly",false\r\nworse.example,silence,false,false,,false\r\n`;
    expect(await rookery('export')).to.deep.equal({ code: 0, stdout: written, stderr: '' });
    const path = join(folder, 'export.csv');
    expect(await rookery('export', path)).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(path, 'utf8')).to.equal(written);
    expect((await rookery('export', path)).code, 'the file exists already').to.equal(1);
    expect((await rookery('import', path, '--merge', 'replace')).stdout).to.equal(
      'Added 0, changed 0, unchanged 2, invalid 0\n',
    );
  });

  it('warn in a dry run of the follows that would end, also on subdomains', async () => {
    const fan = await town.person('fan');
    const near = await remoteAccount(town.app, 'near', 'far.example');
    const below = await remoteAccount(town.app, 'below', 'sub.far.example');
    const alike = await remoteAccount(town.app, 'alike', 'notfar.example');
    await letFollow(town.app, near, fan.id);
    await letFollow(town.app, alike, fan.id);
    await letFollow(town.app, fan.id, below);
    await letAccept(town.app, below, fan.id);
    await town.waitUntilIdle();
    const list = await file('far.txt', 'far.example\nlone.example\n');
    const { stdout, code } = await rookery('import', list, '--dry-run');
    expect(code).to.equal(0);
    expect(stdout.split('\n')).to.deep.equal([
      'add\tfar.example\tseverity="suspend"',
      'warning\tfar.example\t2 follows would end',
      'add\tlone.example\tseverity="suspend"',
      'Would add 2, change 0, unchanged 0, invalid 0',
      '',
    ]);
    expect((await rookery('import', list)).code).to.equal(0);
    await town.waitUntilIdle();
    expect((await rookery('import', list, '--dry-run')).stdout).to.equal(
      'Would add 0, change 0, unchanged 2, invalid 0\n',
    );
  });

  it('change nothing when the file is no table', async () => {
    const before = await town.events();
    const list = await file('broken.csv', 'fine.example\n"broken\n');
    const { code, stderr } = await rookery('import', list);
    expect([code, stderr]).to.deep.equal([64, 'Line 2: a quote does not end\n']);
    expect((await rookery('import', join(folder, 'absent.csv'))).code).to.equal(1);
    expect(await town.events()).to.equal(before);
  });

  it('import and export allowed domains as well', async () => {
    const list = await file('allows.csv', '#domain\nGood.example\nno domain\nfine.example\n');
    expect((await rookery('import', list, '--allows', '--dry-run')).stdout).to.equal(
      'add\tgood.example\nadd\tfine.example\nWould add 2, change 0, unchanged 0, invalid 1\n',
    );
    expect(await rookery('import', list, '--allows')).to.deep.equal({
      code: 1,
      stdout: 'Added 2, changed 0, unchanged 0, invalid 1\n',
      stderr: 'line 3: "no domain" is no domain\n',
    });
    expect((await rookery('import', list, '--allows')).stdout).to.equal(
      'Added 0, changed 0, unchanged 2, invalid 1\n',
    );
    expect((await rookery('export', '--allows')).stdout).to.equal(
      '#domain\r\ngood.example\r\nfine.example\r\n',
    );
  });
});
