import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { openMediaStore } from '#adapters/media/store.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { MediaStore } from '#kernel/services/media.ts';

const png = { extension: 'png', contentType: 'image/png' };

describe('The media store', () => {
  let dataDir: string;
  let store: MediaStore;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-media-'));
    store = openMediaStore({ dataDir });
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('returns what was stored, under the name of its content', async () => {
    const data = Buffer.from('some bytes');
    const key = await store.put(data, png);
    expect(key).to.match(/^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}\.png$/);
    const found = await store.read(key);
    expect(found?.size).to.equal(10);
    expect((await buffer(found!.stream)).equals(data)).to.equal(true);
  });

  it('stores the same bytes once, even concurrently, and leaves no temporary file', async () => {
    const data = Buffer.alloc(100_000, 7);
    const keys = await Promise.all(Array.from({ length: 10 }, () => store.put(data, png)));
    expect(new Set(keys)).to.have.property('size', 1);
    expect(await readdir(join(dataDir, 'media', 'tmp'))).to.deep.equal([]);
  });

  it('removes files, and ignores missing ones', async () => {
    const key = await store.put(Buffer.from('x'), png);
    await store.remove(key);
    await store.remove(key);
    expect(await store.read(key)).to.equal(null);
  });

  it('copies a file to another key, and leaves the first', async () => {
    const data = Buffer.from('some bytes');
    const key = await store.put(data, png);
    const copy = await store.copy(key, 'another owner');
    expect(copy).not.to.equal(key);
    for (const each of [key, copy]) {
      expect((await buffer((await store.read(each))!.stream)).equals(data)).to.equal(true);
    }
  });

  it('replies not_found when a file is deleted while it is copied', async () => {
    const outcomes = new Set<string>();
    for (let n = 0; n < 200 || (n < 5_000 && !outcomes.has('not_found')); n += 1) {
      const key = await store.put(Buffer.from(`file ${n}`), png);
      const copied = store.copy(key, 'another owner').then(
        () => 'copied',
        (error: unknown) => (isRookeryError(error) ? error.code : String(error)),
      );
      for (let turns = 0; turns < n % 8; turns += 1) await new Promise(setImmediate);
      await store.remove(key);
      outcomes.add(await copied);
    }
    expect(outcomes).to.include('not_found');
    expect([...outcomes].filter((each) => each !== 'copied')).to.deep.equal(['not_found']);
  });

  it('refuses keys and extensions that it cannot have created', async () => {
    const hash = 'a'.repeat(64);
    const keys = [
      '../../etc/passwd',
      `aa/aa/../${hash}.png`,
      `bb/aa/${hash}.png`,
      `/aa/aa/${hash}.png`,
      '',
      `aa/aa/${hash}.p/g`,
    ];
    keys.push(`aa/aa/${hash}.png\u0000`, `aa/aa/${hash}.png\n`, `aa/aa/${hash}`);
    for (const key of keys) {
      for (const attempt of [store.read(key), store.remove(key)]) {
        const error = await attempt.catch((reason: unknown) => reason);
        expect(isRookeryError(error) && error.code, key).to.equal('not_found');
      }
    }
    const error = await store
      .put(Buffer.from('x'), { ...png, extension: '../x' })
      .catch((reason: unknown) => reason);
    expect(isRookeryError(error) && error.code).to.equal('bad_request');
  });
});
