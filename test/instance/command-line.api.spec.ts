import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Instance } from '#mastodon/schemas/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { still } from '../support/pictures.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('rookery settings, rules and terms, beside a running server', function () {
  this.timeout(90_000);
  let server: TestServer;
  let folder: string;

  before(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), 'rookery-settings-'));
    await writeFile(join(folder, 'banner.png'), await still('red'));
    await writeFile(join(folder, 'terms.txt'), 'Be kind.');
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(server.app, ...args);
  const done = async (...args: string[]): Promise<void> => {
    expect(await rookery(...args), args.join(' ')).to.deep.include({ code: 0, stdout: 'OK\n' });
  };
  const instance = async (): Promise<Instance> =>
    (await server.call('GET', '/api/v2/instance')).body as Instance;

  it('change settings by a value or a file, and show them', async () => {
    await done('settings', 'set', 'title', 'The Rookery');
    await done('settings', 'set', 'thumbnail', '--file', join(folder, 'banner.png'));
    expect((await instance()).title).to.equal('The Rookery');
    expect((await instance()).thumbnail.versions).to.have.keys('@1x', '@2x');
    const { stdout } = await rookery('settings', 'show');
    expect(stdout)
      .to.match(/^title\t"The Rookery"$/m)
      .and.match(/^registrations\t"closed"$/m);
    await done('settings', 'reset', 'title');
    expect((await instance()).title).to.equal('rookery.example');
  });

  it('look after rules', async () => {
    expect((await rookery('rules', 'add', 'Be kind')).stdout).to.equal('OK\n1\n');
    expect((await rookery('rules', 'add', 'Be brief', '--hint', 'Please')).stdout).to.equal('OK\n2\n');
    await done('rules', 'edit', '2', '--text', 'Be short', '--place', '1');
    await done('rules', 'edit', '1', '--language', 'de', '--text', 'Sei nett');
    expect((await rookery('rules', 'list')).stdout).to.equal('2\tBe short\tPlease\t-\n1\tBe kind\t-\tde\n');
    await done('rules', 'edit', '1', '--language', 'de', '--remove');
    await done('rules', 'remove', '2');
    expect((await instance()).rules).to.deep.equal([
      { id: '1', text: 'Be kind', hint: '', translations: {} },
    ]);
  });

  it('publish terms', async () => {
    await done('terms', 'publish', '--file', join(folder, 'terms.txt'), '--effective', '2026-01-01');
    const { body } = await server.call('GET', '/api/v1/instance/terms_of_service');
    expect(body).to.include({ effective: true, content: '<p>Be kind.</p>' });
  });

  it('say in one line what is wrong', async () => {
    const wrong: [string[], RegExp][] = [
      [['settings', 'set', 'nonsense', 'x'], /'nonsense' is invalid/],
      [['settings', 'set', 'title'], /^Give either a value or --file/],
      [['settings', 'set', 'icon', '--file', join(folder, 'terms.txt')], /^The picture must be/],
      [['rules', 'remove', '9'], /^There is no rule 9/],
      [['terms', 'publish', '--file', '/nowhere', '--effective', '2027-01-01'], /no such file/],
    ];
    await Promise.all(
      wrong.map(async ([args, message]) => {
        const { code, stdout, stderr } = await rookery(...args);
        expect([code, stdout], args.join(' ')).to.deep.equal([args[0] === 'settings' ? 64 : 1, '']);
        expect(stderr.trimEnd()).to.match(message).and.not.to.contain('\n');
      }),
    );
  });
});
