import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { send, signUp } from '../support/api-client.ts';
import {
  beside,
  differences,
  discard,
  freshSettings,
  type Settings,
  startRookery,
} from '../support/process.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('An older version on the data of a newer one', function () {
  this.timeout(240_000);
  let settings: Settings;
  let newer: string;

  before(async () => {
    settings = await freshSettings();
    newer = await newerCheckout();
  });
  after(async () => {
    await discard(settings);
    await rm(newer, { recursive: true, force: true });
  });

  /** Copies this checkout, with a higher version of the program and of a read model. */
  async function newerCheckout(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-newer-'));
    for (const name of ['src', 'commands', 'queries', 'projections', 'package.json'])
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await change(join(folder, 'package.json'), /"version": "[^"]+"/, '"version": "99.0.0"');
    await change(join(folder, 'projections/lists.ts'), /version: \d+/, 'version: 990');
    return folder;
  }

  async function change(file: string, pattern: RegExp, to: string): Promise<void> {
    const text = await readFile(file, 'utf8');
    expect(text).to.match(pattern);
    await writeFile(file, text.replace(pattern, to));
  }

  it('is refused before it writes anything, and the newer one goes on afterwards', async () => {
    const before = await startRookery(settings);
    const { token } = await signUp(before.url, settings['DATA_DIR'] ?? '', 'alice');
    const list = (title: string) => send(before.url, 'POST', '/api/v1/lists', { token, body: { title } });
    expect((await list('Old')).status).to.equal(200);
    await before.end();
    expect(await differences(settings)).to.deep.equal([]);

    const forward = await startRookery(settings, newer);
    expect((await list('New')).status).to.equal(200);
    await forward.end();

    const refused = await startRookery(settings).catch((error: Error) => error.message);
    expect(refused).to.be.a('string');
    expect(refused).to.match(
      /This data was made by version 99\.0\.0 of Rookery, and this is \S+ \(newer: read model lists 990\)\./,
    );
    expect(refused).to.match(/go back by restoring the backup from before \d{4}-\d\d-\d\dT/);

    const again = await startRookery(settings, newer);
    const lists = await send(again.url, 'GET', '/api/v1/lists', { token });
    expect((lists.body as unknown as { title: string }[]).map(({ title }) => title)).to.have.members([
      'Old',
      'New',
    ]);
    await again.end();
  });

  it('is refused on the command line as well', async () => {
    const refused: unknown = await beside(settings, () => Promise.resolve()).catch((error: unknown) => error);
    expect(String(refused)).to.include('This data was made by version 99.0.0 of Rookery');
  });
});
