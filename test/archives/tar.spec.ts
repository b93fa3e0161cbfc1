import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTarGz, type NewTarFile } from '../../src/adapters/account-archive/tar.ts';

describe('The tar writer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-tar-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('closes a file that it cannot add', async () => {
    const path = join(folder, 'picture.png');
    await writeFile(path, 'picture');
    const stream = createReadStream(path);
    await once(stream, 'readable');
    async function* files(): AsyncGenerator<NewTarFile> {
      yield { name: 'no name for an archive: \u00e9', size: 7, stream };
    }
    const failed = await writeTarGz(join(folder, 'archive.tar.gz'), files()).catch(() => 'failed');
    expect([failed, stream.destroyed]).to.deep.equal(['failed', true]);
  });
});
