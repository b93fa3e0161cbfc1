import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '#kernel/files.ts';

describe('makeFolder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-folders-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const failure = (path: string): Promise<string | undefined> =>
    makeFolder(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );

  it('creates all missing folders, and accepts existing ones', async () => {
    const deep = join(folder, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 20 }, (_, n) => makeFolder(join(deep, String(n)), 0o700)));
    await makeFolder(deep);
    expect((await stat(deep)).mode & 0o777).to.equal(0o700);
    expect(await failure(folder)).to.equal(undefined);
  });

  it('fails when a file has the name of a folder', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(await failure(join(folder, 'file'))).to.equal('EEXIST');
    expect(await failure(join(folder, 'file', 'deep'))).to.equal('EEXIST');
  });

  it('ends when a folder cannot contain another one', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const path of ['/proc/rookery', '/proc/rookery/deep']) {
      expect(await failure(path), path).to.equal('ENOENT');
    }
  });
});
