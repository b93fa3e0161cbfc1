import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../src/kernel/files.ts';

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

  it('makes all that is missing, and minds nothing that is there', async () => {
    const deep = join(folder, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 20 }, (_, n) => makeFolder(join(deep, String(n)), 0o700)));
    await makeFolder(deep);
    expect((await stat(deep)).mode & 0o777).to.equal(0o700);
    expect(await failure(folder)).to.equal(undefined);
  });

  it('fails where a file is in the way', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(await failure(join(folder, 'file'))).to.equal('EEXIST');
    expect(await failure(join(folder, 'file', 'deep'))).to.equal('EEXIST');
  });

  it('comes to an end where a folder takes no other into it', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const path of ['/proc/rookery', '/proc/rookery/deep']) {
      expect(await failure(path), path).to.equal('ENOENT');
    }
  });
});
