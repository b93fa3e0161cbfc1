import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeStaleTempFiles } from '#operations/stale-temp-files.ts';

describe('Temporary files of a killed process', () => {
  const { TMPDIR } = process.env;
  let folder: string;
  let stored: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-leftovers-'));
    stored = join(folder, 'data', 'media', 'tmp');
    process.env['TMPDIR'] = folder;
  });
  afterEach(async () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    await rm(folder, { recursive: true });
  });

  const NOW = Date.parse('2026-11-23T12:00:00Z');
  const hoursAgo = (hours: number): Date => new Date(NOW - hours * 3_600_000);
  async function leave(path: string, hours: number): Promise<void> {
    await writeFile(path, 'bytes');
    await utimes(path, hoursAgo(hours), hoursAgo(hours));
  }

  it('are removed after a day, except files in use and files of others', async () => {
    await mkdir(stored, { recursive: true });
    for (const name of ['rookery-upload-1', 'rookery-card-1', 'somebody-elses']) {
      await leave(join(folder, name), 25);
      await leave(join(folder, `${name}-new`), 23);
    }
    const rendering = join(folder, 'rookery-render-1');
    await mkdir(rendering);
    await leave(join(rendering, 'video.mp4'), 25);
    await utimes(rendering, hoursAgo(25), hoursAgo(25));
    await leave(join(stored, 'old'), 25);
    await leave(join(stored, 'new'), 1);

    await removeStaleTempFiles(join(folder, 'data'), NOW);

    expect((await readdir(folder)).sort()).to.deep.equal([
      'data',
      'rookery-card-1-new',
      'rookery-upload-1-new',
      'somebody-elses',
      'somebody-elses-new',
    ]);
    expect(await readdir(stored)).to.deep.equal(['new']);
  });

  it('may be absent', async () => {
    await removeStaleTempFiles(join(folder, 'nothing'), NOW);
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
