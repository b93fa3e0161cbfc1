import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type NewTarFile, readTarGz, writeTarGz } from '#adapters/account-archive/tar.ts';

describe('An archive in tar.gz format', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-tar-'));
    path = join(folder, 'archive.tar.gz');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has the files that were written, with long names and names of any script', async () => {
    const picture = join(folder, 'picture.png');
    await writeFile(picture, 'picture');
    const long = `${'folder/'.repeat(40)}name`;
    await write(
      { name: 'empty', data: Buffer.alloc(0) },
      { name: 'bilder/größe.png', size: 7, stream: createReadStream(picture) },
      { name: long, data: Buffer.from('long') },
    );
    expect(await read(1_000)).to.deep.equal([
      ['empty', 0, ''],
      ['bilder/größe.png', 7, 'picture'],
      [long, 4, 'long'],
    ]);
  });

  it('yields a file larger than the limit without its bytes', async () => {
    await write({ name: 'large', data: Buffer.alloc(600) }, { name: 'small', data: Buffer.from('small') });
    expect(await read(5)).to.deep.equal([
      ['large', 600, undefined],
      ['small', 5, 'small'],
    ]);
  });

  it('closes a file of another size than stated', async () => {
    const picture = join(folder, 'picture.png');
    await writeFile(picture, 'picture');
    for (const size of [6, 8]) {
      const stream = createReadStream(picture);
      const failed = await write({ name: 'picture.png', size, stream }).catch(String);
      expect([failed, stream.destroyed]).to.deep.equal(['Error: Size mismatch', true]);
    }
  });

  it('closes the file that it is adding when the disk is full', async function () {
    if (process.platform !== 'linux') this.skip();
    const stream = createReadStream('/dev/zero');
    const failed = await writeTarGz('/dev/full', listed({ name: 'zeros', size: 1e9, stream })).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect([failed, stream.destroyed]).to.deep.equal(['ENOSPC', true]);
  });

  it('is refused when it is cut off, wherever that is', async () => {
    await write({ name: 'large', data: Buffer.alloc(2_000) });
    const archive = gunzipSync(await readFile(path));
    for (const length of [100, 600, 2_000]) {
      await writeFile(path, gzipSync(archive.subarray(0, length)));
      expect(await read(5_000).catch(String), String(length)).to.equal('Error: Not a tar archive');
    }
  });

  const write = (...files: NewTarFile[]): Promise<void> => writeTarGz(path, listed(...files));
  async function* listed(...files: NewTarFile[]): AsyncGenerator<NewTarFile> {
    yield* files;
  }
  async function read(maxBytes: number): Promise<[string, number, string | undefined][]> {
    const files: [string, number, string | undefined][] = [];
    for await (const { name, size, data } of readTarGz(path, maxBytes))
      files.push([name, size, data?.toString()]);
    return files;
  }
});
