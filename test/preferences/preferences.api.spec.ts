import { expect } from 'chai';
import { describeTown, type Person } from '../support/people.ts';

const PATH = '/api/v1/preferences';

describeTown('Preferences over the API', (town) => {
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
  });

  it('have defaults', async () => {
    const { status, json } = await alice.get(PATH);
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      'posting:default:visibility': 'public',
      'posting:default:sensitive': false,
      'posting:default:language': 'en',
      'posting:default:quote_policy': 'public',
      'reading:expand:media': 'default',
      'reading:expand:spoilers': false,
      'reading:autoplay:gifs': false,
      'reading:aggregate:reblogs': true,
    });
  });

  it('default to followers-only posts for a locked account, everywhere', async () => {
    const frank = await town.person('frank');
    const update = '/api/v1/accounts/update_credentials';
    const visibilities = async (): Promise<unknown[]> => {
      const { json: preferences } = await frank.get<Record<string, unknown>>(PATH);
      const { json: me } = await frank.get<{ source: object }>('/api/v1/accounts/verify_credentials');
      const { json: post } = await frank.post<{ id: string; visibility: string }>('/api/v1/statuses', {
        status: 'a post without an audience',
      });
      const { json: own } = await frank.get<{ source: object }>('/api/v1/profile');
      return [
        preferences['posting:default:visibility'],
        (me.source as { privacy: string }).privacy,
        post.visibility,
        (own.source as { privacy?: string } | undefined)?.privacy ?? post.visibility,
      ];
    };
    expect(await visibilities()).to.deep.equal(Array(4).fill('public'));
    const { json: locked } = await frank.patch(update, { locked: true });
    expect(locked).to.have.nested.property('source.privacy', 'private');
    expect(await visibilities()).to.deep.equal(Array(4).fill('private'));

    await frank.patch(update, { source: { privacy: 'public' } });
    expect(await visibilities()).to.deep.equal(Array(4).fill('public'));
  });

  it('leave the visibility to the lock of the account when another one is set', async () => {
    const grace = await town.person('grace');
    const update = '/api/v1/accounts/update_credentials';
    const { json: spoken } = await grace.patch(update, { source: { language: 'de' } });
    expect(spoken).to.have.nested.property('source.privacy', 'public');
    const { json: locked } = await grace.patch(update, { locked: true });
    expect(locked).to.have.nested.property('source.privacy', 'private');
  });

  it('follow changes of the credentials', async () => {
    const source = { privacy: 'unlisted', sensitive: true, language: 'de', quote_policy: 'followers' };
    await alice.patch('/api/v1/accounts/update_credentials', { source });
    expect((await alice.get(PATH)).json).to.deep.include({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': true,
      'posting:default:language': 'de',
      'posting:default:quote_policy': 'followers',
    });
  });

  it('are changed by name, in JSON and in a form, and the others stay', async () => {
    const changed = await alice.patch<Record<string, unknown>>(PATH, {
      'reading:expand:media': 'hide_all',
      'reading:autoplay:gifs': true,
      'posting:default:language': null,
    });
    expect(changed.status, JSON.stringify(changed.json)).to.equal(200);
    const form = new URLSearchParams({ 'reading:expand:spoilers': 'true', 'posting:default:sensitive': '0' });
    const { json } = await alice.patch(PATH, form);
    expect(json).to.deep.equal({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': false,
      'posting:default:language': 'en',
      'posting:default:quote_policy': 'followers',
      'reading:expand:media': 'hide_all',
      'reading:expand:spoilers': true,
      'reading:autoplay:gifs': true,
      'reading:aggregate:reblogs': true,
    });
    const { json: account } = await alice.get<{ source: object }>('/api/v1/accounts/verify_credentials');
    expect(account.source).to.include({ privacy: 'unlisted', sensitive: false, language: null });
  });

  it('store no event when nothing changes, or a value is wrong', async () => {
    const before = await town.events();
    expect((await alice.patch(PATH, {})).status).to.equal(200);
    expect((await alice.patch(PATH, { 'reading:expand:media': 'hide_all' })).status).to.equal(200);
    for (const wrong of [
      { 'reading:expand:media': 'never' },
      { 'posting:default:visibility': 'direct' },
      { 'posting:default:language': 'qqq' },
      { 'posting:default:quote_policy': 'friends' },
      { 'reading:expand:spoilers': false, 'reading:expand:media': 'x'.repeat(100) },
    ]) {
      expect((await alice.patch(PATH, wrong)).status, JSON.stringify(wrong)).to.equal(422);
    }
    expect(await town.events()).to.equal(before);
  });

  it('need the right scope', async () => {
    expect((await (await alice.withScopes('read')).patch(PATH, {})).status).to.equal(403);
    expect((await (await alice.withScopes('write')).get(PATH)).status).to.equal(403);
    expect((await town.nobody.get(PATH)).status).to.equal(401);
  });
});
