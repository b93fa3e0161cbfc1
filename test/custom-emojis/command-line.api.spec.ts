import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readTarGz } from '#adapters/account-archive/tar.ts';
import type { CustomEmoji } from '#mastodon/schemas/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { moving, still } from '../support/pictures.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('rookery emoji, while the server is running', function () {
  this.timeout(90_000);
  let server: TestServer;
  let folder: string;

  before(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), 'rookery-emojis-'));
    await mkdir(join(folder, 'pack', 'more'), { recursive: true });
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'pack', 'blobcat.gif'), await moving('gif'));
    await writeFile(join(folder, 'pack', 'more', 'Blobfox.PNG'), await still('red'));
    await writeFile(join(folder, 'pack', '._blobcat.gif'), 'shadow');
    await writeFile(join(folder, 'pack', 'README.txt'), 'no picture');
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(server.app, 'emoji', ...args);
  const listed = async (): Promise<CustomEmoji[]> =>
    (await server.call('GET', '/api/v1/custom_emojis')).body as CustomEmoji[];
  const expectListed = (...shortcodes: string[]) =>
    eventually(async () =>
      expect((await listed()).map(({ shortcode }) => shortcode)).to.deep.equal(shortcodes),
    );
  const path = (...parts: string[]): string => join(folder, ...parts);

  it('imports the pictures of a folder, and the server lists them at once', async () => {
    expect(await rookery('import', path('pack'), '--category', 'Blobs')).to.deep.equal({
      code: 0,
      stdout: 'Imported 2, skipped 0, failed to import 0\n',
      stderr: '',
    });
    await expectListed('Blobfox', 'blobcat');
    expect((await listed()).map(({ category }) => category)).to.deep.equal(['Blobs', 'Blobs']);
  });

  it('skips shortcodes that exist, or overwrites them with --overwrite', async () => {
    expect((await rookery('import', path('pack'))).stdout).to.match(
      /^Imported 0, skipped 2, failed to import 0$/m,
    );
    expect((await listed())[0]).to.include({ category: 'Blobs' });
    expect((await rookery('import', path('pack'), '--overwrite')).stdout).to.match(/^Imported 2, skipped 0/);
    await eventually(async () => expect((await listed())[0]).not.to.have.property('category'));
  });

  it('adds a prefix and a suffix to the names, and hides unlisted emojis from pickers', async () => {
    await rookery('import', path('pack'), '--prefix', 'x_', '--suffix', '_y', '--unlisted');
    await eventually(() => expect(server.app.instance.emojis.json('x_blobcat_y')).to.be.a('string'));
    await expectListed('Blobfox', 'blobcat');
    expect((await rookery('list')).stdout).to.equal(
      ':Blobfox:\t-\tlisted\n:blobcat:\t-\tlisted\n:x_Blobfox_y:\t-\tunlisted\n:x_blobcat_y:\t-\tunlisted\n',
    );
  });

  it('reports the pictures that are invalid, and imports the others', async () => {
    await mkdir(path('mixed'));
    await writeFile(path('mixed', 'broken.png'), 'no picture');
    await writeFile(path('mixed', 'two words.png'), await still('red'));
    await writeFile(path('mixed', 'large.png'), Buffer.alloc(300_000));
    await writeFile(path('mixed', 'good.png'), await still('red'));
    const { code, stdout, stderr } = await rookery('import', path('mixed'));
    expect([code, stdout]).to.deep.equal([0, 'Imported 1, skipped 0, failed to import 3\n']);
    expect(stderr).to.match(/broken\.png: Image content type is not supported/);
    expect(stderr).to.match(/two words\.png: Shortcode must be/);
    expect(stderr).to.match(/large\.png: Image file size must be less than 256 KB/);
    await expectListed('Blobfox', 'blobcat', 'good');
  });

  it('modifies and removes emojis', async () => {
    expect((await rookery('modify', ':good:', '--category', 'Good', '--unlisted')).stdout).to.equal('OK\n');
    expect((await rookery('list')).stdout).to.contain(':good:\tGood\tunlisted\n');
    await rookery('modify', 'good', '--no-category', '--listed', '--disable');
    expect((await rookery('list')).stdout).to.contain(':good:\t-\tdisabled\n');
    expect((await rookery('remove', 'good', 'x_Blobfox_y', ':x_blobcat_y:')).stdout).to.equal('OK\n');
    expect((await rookery('list')).stdout).to.equal(':Blobfox:\t-\tlisted\n:blobcat:\t-\tlisted\n');
    await expectListed('Blobfox', 'blobcat');
  });

  it('exports an archive that it can import again', async () => {
    expect(await rookery('export', path('out'))).to.deep.equal({
      code: 0,
      stdout: 'Exported 2\n',
      stderr: '',
    });
    const names: string[] = [];
    for await (const { name } of readTarGz(path('out', 'export.tar.gz'), 1_000_000)) names.push(name);
    expect(names).to.deep.equal(['Blobfox.png', 'blobcat.gif']);
    await rookery('remove', 'Blobfox', 'blobcat');
    await expectListed();
    const imported = await rookery('import', path('out', 'export.tar.gz'));
    expect(imported.stdout).to.equal('Imported 2, skipped 0, failed to import 0\n');
    await expectListed('Blobfox', 'blobcat');
  });

  it('reads archives of the system’s tar, which in turn reads the exported archive', async () => {
    await run('tar', ['-czf', path('system.tar.gz'), '-C', folder, 'pack']);
    const found: Record<string, number> = {};
    for await (const { name, data } of readTarGz(path('system.tar.gz'), 1_000_000))
      found[name] = data?.length ?? -1;
    const [gif, png] = await Promise.all([
      readFile(path('pack', 'blobcat.gif')),
      readFile(path('pack', 'more', 'Blobfox.PNG')),
    ]);
    expect(found).to.include({ 'pack/blobcat.gif': gif.length, 'pack/more/Blobfox.PNG': png.length });
    await mkdir(path('unpacked'));
    await run('tar', ['-xzf', path('out', 'export.tar.gz'), '-C', path('unpacked')]);
    expect((await readFile(path('unpacked', 'blobcat.gif'))).toString('latin1', 0, 3)).to.equal('GIF');
  });

  it('describes each error in one line', async () => {
    await writeFile(path('no.tar.gz'), gzipSync(Buffer.alloc(2_000, 'x')));
    await writeFile(path('cut.tar.gz'), (await readFile(path('out', 'export.tar.gz'))).subarray(0, 200));
    const wrong: [string[], RegExp][] = [
      [['import', path('nowhere')], /ENOENT/],
      [['import', path('no.tar.gz')], /^Not a tar archive$/],
      [['import', path('cut.tar.gz')], /unexpected end of file/],
      [['import', path('pack', 'README.txt')], /^Not a tar\.gz archive$/],
      [['import', path('pack'), '--overwrite', '--category', ' '], /Category must have 1 to 100 characters/],
      [['export', path('out')], /^There is an archive already/],
      [['export', path('out'), '--category', 'None'], /^There is no category None$/],
      [['remove', 'nothing'], /^There is no emoji :nothing:$/],
      [['modify', 'blobcat'], /^Say what to change/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await rookery(...args);
      expect(stderr.trimEnd(), args.join(' ')).to.match(message);
      if (!args.includes('--category') || args[0] === 'export')
        expect(code, args.join(' ')).to.be.oneOf([1, 64]);
    }
  });
});

const run = promisify(execFile);
