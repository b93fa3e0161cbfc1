import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTarGz } from '#adapters/account-archive/tar.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { ok, type Person, startTown, type Town } from '../support/people.ts';
import { still } from '../support/pictures.ts';

// Specs look at single members.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;
interface Status {
  id: string;
  uri: string;
}

describe('An export of an account', function () {
  this.timeout(60_000);
  let town: Town;
  let maria: Person;
  let friend: Person;
  let folder: string;

  before(async function () {
    this.timeout(120_000);
    town = await startTown();
    maria = await town.person('maria');
    friend = await town.person('friend');
    folder = await mkdtemp(join(tmpdir(), 'rookery-exports-'));
  });
  after(async () => {
    await town.close();
    await rm(folder, { recursive: true, force: true });
  });

  const post = (person: Person, body: object): Promise<Status> =>
    ok(person.post<Status>('/api/v1/statuses', body));
  const picture = async (colour: string, name: string): Promise<FormData> => {
    const form = new FormData();
    form.set(name, new Blob([new Uint8Array(await still(colour))], { type: 'image/png' }), 'picture.png');
    return form;
  };
  const unpacked = async (path: string): Promise<Map<string, Buffer>> => {
    const files = new Map<string, Buffer>();
    for await (const { name, data } of readTarGz(path, 10_000_000)) files.set(name, data ?? Buffer.alloc(0));
    return files;
  };

  it('is an archive with all posts of any visibility and their files', async () => {
    await ok(maria.patch('/api/v1/accounts/update_credentials', await picture('red', 'avatar')));
    const media = await ok(maria.post<{ id: string }>('/api/v2/media', await picture('blue', 'file')));
    const posts = [
      await post(maria, { status: 'For all', media_ids: [media.id] }),
      await post(maria, { status: 'For those who follow', visibility: 'private' }),
      await post(maria, { status: '@friend For you', visibility: 'direct' }),
    ];
    const gone = await post(maria, { status: 'Gone' });
    await ok(maria.delete(`/api/v1/statuses/${gone.id}`));
    const friendPost = await post(friend, { status: 'Well said' });
    for (const act of ['favourite', 'bookmark', 'reblog']) {
      await ok(maria.post(`/api/v1/statuses/${friendPost.id}/${act}`));
    }
    await post(friend, { status: 'Not hers' });

    const result = await rookeryBeside(town.app, 'accounts', 'export', 'maria', 'archive', '--to', folder);
    expect(result).to.deep.include({ code: 0 });
    const [name = '', ...others] = await readdir(folder);
    expect(others).to.deep.equal([]);
    expect(name).to.match(/^archive-\d{14}-[0-9a-f]{32}\.tar\.gz$/);
    expect(result.stdout).to.equal(`${name}\t4 posts, 1 likes, 1 bookmarks, 1 files\n`);
    expect((await stat(join(folder, name))).mode & 0o077, 'the file mode for group and others').to.equal(0);

    const files = await unpacked(join(folder, name));
    const json = (file: string): Json => JSON.parse((files.get(file) ?? Buffer.from('{}')).toString());
    const outbox = json('outbox.json');
    expect(outbox).to.deep.include({ id: 'outbox.json', type: 'OrderedCollection', totalItems: 4 });
    expect(outbox.orderedItems.map((item: Json) => item.object.id ?? item.object)).to.deep.equal([
      ...posts.map(({ uri }) => uri),
      friendPost.uri,
    ]);
    const [attachment] = outbox.orderedItems[0].object.attachment;
    expect(attachment.url).to.match(/^media_attachments\//);
    expect(files.get(attachment.url)?.length).to.be.greaterThan(0);
    expect(json('likes.json').orderedItems).to.deep.equal([friendPost.uri]);
    expect(json('bookmarks.json').orderedItems).to.deep.equal([friendPost.uri]);
    const actor = json('actor.json');
    expect(actor).to.deep.include({ preferredUsername: 'maria', outbox: 'outbox.json', likes: 'likes.json' });
    expect(files.get(actor.icon.url)?.length).to.be.greaterThan(0);
    expect([...files.keys()].sort()).to.deep.equal(
      ['actor.json', actor.icon.url, 'bookmarks.json', 'likes.json', 'outbox.json', attachment.url].sort(),
    );
  });

  it('is a file for each list on the command line, which can be imported again', async () => {
    await ok(maria.post(`/api/v1/accounts/${friend.id}/follow`));
    const to = join(folder, 'all');
    const exported = await rookeryBeside(town.app, 'accounts', 'export', '@maria', '--to', to);
    expect(exported.code, exported.stderr).to.equal(0);
    expect(exported.stdout).to.match(
      /^following_accounts\.csv\t1\nfollowers\.csv\t0\nblocked_accounts\.csv\t0\n/,
    );
    expect((await readdir(to)).filter((name) => name.endsWith('.csv'))).to.have.length(7);
    const file = join(to, 'following_accounts.csv');
    expect(await readFile(file, 'utf8')).to.include('friend@rookery.example,true,false,\r\n');

    await ok(maria.post(`/api/v1/accounts/${friend.id}/unfollow`));
    const run = (...args: string[]) => rookeryBeside(town.app, 'accounts', 'import', 'maria', ...args);
    expect(await run('following', file)).to.deep.equal({
      code: 0,
      stdout: 'Imported 1, failed 0\n',
      stderr: '',
    });
    const doubtful = await run('blocks', file);
    expect(doubtful).to.deep.equal({
      code: 64,
      stdout: '',
      stderr:
        'The file seems to contain accounts to follow, and you chose accounts to block: say --yes if you are certain\n',
    });
    const failing = await run('blocks', join(to, 'lists.csv'));
    expect(failing).to.deep.equal({ code: 64, stdout: '', stderr: 'The file is empty\n' });
    const notMutes = await run('mutes', 'LICENSE');
    expect(notMutes.code).to.equal(1);
    await town.waitUntilIdle();
    const following = await ok(maria.get<{ username: string }[]>(`/api/v1/accounts/${maria.id}/following`));
    expect(following.map(({ username }) => username)).to.deep.equal(['friend']);
  });

  it('is refused for an unknown account', async () => {
    const nobody = await rookeryBeside(town.app, 'accounts', 'export', 'nobody', '--to', folder);
    expect(nobody).to.deep.include({ code: 1, stderr: 'There is no local account @nobody\n' });
  });
});
