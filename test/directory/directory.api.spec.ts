import { expect } from 'chai';
import { migrateAccount } from '#commands/accounts/index.ts';
import type { Account } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';

const DIRECTORY = '/api/v1/directory';

describeTown('The profile directory', function (town) {
  this.timeout(120_000);
  let ann: Person;
  let ben: Person;
  let cat: Person;
  let far: string;
  before(async () => {
    const open = { discoverable: true };
    ann = await town.person('ann', open);
    ben = await town.person('ben', open);
    cat = await town.person('cat', open);
    await town.person('unasked');
    await town.person('hidden', { discoverable: false });
    far = await remoteAccount(town.app, 'far', 'far.example');
    await town.change({ ...ann, id: far }, open);
  });

  const listed = async (more = '', who: Client = town.nobody): Promise<string[]> => {
    await town.waitUntilIdle();
    const { status, json } = await who.get<Account[]>(`${DIRECTORY}?${more}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json.map(({ acct }) => acct);
  };
  const post = async (who: Person, status: string, visibility = 'public'): Promise<string> =>
    (await who.post<{ id: string }>('/api/v1/statuses', { status, visibility })).json.id;

  it('lists the accounts that opted in, newest first', async () => {
    expect(await listed('order=new')).to.deep.equal(['far@far.example', 'cat', 'ben', 'ann']);
    expect(await listed('order=new&local=true')).to.deep.equal(['cat', 'ben', 'ann']);
    expect(await listed('order=new&local=false', ann)).to.deep.equal([
      'far@far.example',
      'cat',
      'ben',
      'ann',
    ]);
  });

  it('sorts by the latest post, and ignores private messages', async () => {
    await post(ann, 'first');
    await post(cat, 'second');
    const removed = await post(ben, 'third');
    expect(await listed()).to.deep.equal(['ben', 'cat', 'ann', 'far@far.example']);
    await post(ann, '@ben fourth', 'direct');
    expect(await listed('order=active')).to.deep.equal(['ben', 'cat', 'ann', 'far@far.example']);
    await ben.delete(`/api/v1/statuses/${removed}`);
    await post(ann, 'fifth', 'unlisted');
    expect(await listed('order=whatever&local=1')).to.deep.equal(['ann', 'cat', 'ben']);
  });

  it('pages by offset', async () => {
    for (const order of ['new', 'active']) {
      const all = await listed(`order=${order}`);
      expect(await listed(`order=${order}&limit=2`)).to.deep.equal(all.slice(0, 2));
      expect(await listed(`order=${order}&limit=2&offset=1`)).to.deep.equal(all.slice(1, 3));
      expect(await listed(`order=${order}&limit=1&offset=3`)).to.deep.equal(all.slice(3));
      expect(await listed(`order=${order}&offset=4`)).to.deep.equal([]);
      expect(await listed(`order=${order}&offset=-1`)).to.deep.equal(all);
      expect(await listed(`order=${order}&limit=no`)).to.deep.equal([]);
    }
    expect((await town.nobody.get(`${DIRECTORY}?tag=${'x'.repeat(501)}`)).status).to.equal(422);
  });

  it('can list only the accounts that use a hashtag', async () => {
    await post(ann, '#Blåhaj');
    await post(cat, '#blahaj', 'private');
    const gone = await post(ben, '#blahaj', 'unlisted');
    expect(await listed('tag=blahaj&order=new')).to.deep.equal(['ben', 'ann']);
    expect(await listed('tag=%23BLÅHAJ')).to.deep.equal(['ben', 'ann']);
    await ben.delete(`/api/v1/statuses/${gone}`);
    expect(await listed('tag=blahaj')).to.deep.equal(['ann']);
    expect(await listed('tag=nothing')).to.deep.equal([]);
    expect(await listed('tag=&order=new')).to.have.length(4);
  });

  it('omits accounts that the reader blocks or mutes, and those that block the reader', async () => {
    const reader = await town.person('reader', { discoverable: true });
    const all = ['reader', 'far@far.example', 'cat', 'ben', 'ann'];
    expect(await listed('order=new', reader)).to.deep.equal(all);
    await reader.post(`/api/v1/accounts/${ann.id}/block`);
    await reader.post(`/api/v1/accounts/${ben.id}/mute`);
    await cat.post(`/api/v1/accounts/${reader.id}/block`);
    await reader.post('/api/v1/domain_blocks', { domain: 'far.example' });
    expect(await listed('order=new', reader)).to.deep.equal(['reader']);
    expect(await listed('order=active', reader)).to.deep.equal(['reader']);
    expect(await listed('order=new')).to.deep.equal(all);
  });

  it('omits accounts that are suspended, have moved or have opted out', async () => {
    const first = await town.person('first', { discoverable: true });
    const moving = await town.person('moving', { discoverable: true });
    expect(await listed('order=new&limit=2')).to.deep.equal(['moving', 'first']);
    await town.suspend(first);
    const ctx = town.app.systemContext('spec');
    await migrateAccount(ctx, { accountId: moving.id, targetId: cat.id, force: true });
    expect((await listed('order=new'))[0]).to.equal('reader');
    await town.change(cat, { discoverable: false });
    const found = await listed('order=new');
    expect(found).to.deep.equal(['reader', 'far@far.example', 'ben', 'ann']);
  });
});
