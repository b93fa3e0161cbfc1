import { expect } from 'chai';
import { type Account, account } from '#commands/accounts/index.ts';
import { featuredTags } from '#commands/featured-tags/index.ts';
import { decideCount, decideReplace } from '#commands/federation/index.ts';
import { type AccountEvent, emptyProfile } from '#events/accounts.ts';
import type { RemoteTallies } from '#events/federation.ts';
import { fold } from '#kernel/decider.ts';
import { parseTagName, type TagName } from '#mastodon/tag-name.ts';
import { carriedOut, deliver, expectIgnored, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('The profile of a remote account', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
  });
  after(() => scene.close());

  const collection = (path: string, more: Json): string =>
    peer.put(path, { id: `${peer.origin}${path}`, type: 'OrderedCollection', ...more });
  const hashtag = (name: string): Json => ({
    type: 'Hashtag',
    href: `${peer.origin}/tags/${name}`,
    name: `#${name}`,
  });

  interface Shown {
    followers?: number;
    following?: number;
    posts?: number;
    pinned?: string[];
    tags?: string[];
  }
  /** Serves an actor with its collections. Returns its URI. */
  function serve(name: string, { followers, following, posts, pinned = [], tags = [] }: Shown): string {
    const uri = `/users/${name}`;
    const items = { totalItems: pinned.length, orderedItems: pinned };
    if (followers !== undefined) collection(`${uri}/followers`, { totalItems: followers });
    if (following !== undefined) collection(`${uri}/following`, { totalItems: following });
    if (posts !== undefined) collection(`${uri}/outbox`, { totalItems: posts });
    collection(`${uri}/tags`, { totalItems: tags.length, items: tags.map(hashtag) });
    const named = Object.fromEntries(
      ['following', 'outbox'].map((list) => [list, `${peer.origin}${uri}/${list}`]),
    );
    collection(`${uri}/featured`, items);
    return peer.actor(name, { ...named, featuredTags: `${peer.origin}${uri}/tags` });
  }
  const known = async (uri: string): Promise<string> => {
    const id = await accountOf(uri);
    await carriedOut(server);
    return id;
  };
  const counts = async (id: string): Promise<number[]> => {
    const shown = (await as(alice, 'GET', `/api/v1/accounts/${id}`)) as Record<string, number>;
    return ['followers_count', 'following_count', 'statuses_count'].map((name) => shown[name] ?? NaN);
  };
  const pinned = async (id: string): Promise<string[]> =>
    ((await as(alice, 'GET', `/api/v1/accounts/${id}/statuses?pinned=true`)) as { uri: string }[]).map(
      ({ uri }) => uri,
    );
  const tags = async (id: string): Promise<string[]> =>
    ((await as(alice, 'GET', `/api/v1/accounts/${id}/featured_tags`)) as { name: string }[])
      .map(({ name }) => name)
      .sort();
  /** Starts delayed refreshes without their delay. */
  const hurry = async (): Promise<void> => {
    await carriedOut(server);
    await server.app.db.query(
      `update jobs.job set start_after = now() where name = 'refresh-profile' and state = 'created'`,
    );
    await carriedOut(server);
  };
  const update = (name: string, object: Json): Promise<void> =>
    deliver(server, by(name), sent(name, 'Update', object, { to: [PUBLIC] }));
  const documentOf = (name: string): Json => ({
    id: `${peer.origin}/users/${name}`,
    type: 'Person',
    preferredUsername: name,
    name: 'New',
    inbox: `${peer.origin}/users/${name}/inbox`,
  });

  it('shows the counts, pinned posts and featured hashtags of its own server after discovery', async () => {
    const notes = ['newest', 'older'].map((id) => peer.note('counted', id));
    const id = await known(
      serve('counted', {
        followers: 1_204,
        following: 310,
        posts: 77,
        pinned: notes,
        tags: ['Rooks', 'crows'],
      }),
    );
    expect(await pinned(id), 'in the order of the collection').deep.equal(notes);
    expect(await tags(id)).deep.equal(['Rooks', 'crows'].sort());
    expect(await counts(id)).deep.equal([1_204, 310, 77]);
  });

  it('adds follows that start or end here to the counts of its server', async () => {
    const id = await known(serve('followed', { followers: 10, following: 4, posts: 3 }));
    const follow = `${peer.origin}/follows/1`;
    await deliver(server, by('followed'), sent('followed', 'Follow', ALICE, { id: follow }));
    expect(await counts(id), 'it follows a local account').deep.equal([10, 5, 3]);
    await as(alice, 'POST', `/api/v1/accounts/${id}/follow`);
    await server.waitUntilIdle();
    const object = { type: 'Follow', actor: ALICE, object: `${peer.origin}/users/followed` };
    await deliver(server, by('followed'), sent('followed', 'Accept', object));
    expect((await counts(id))[0], 'a local account follows it').equal(11);
    await as(alice, 'POST', `/api/v1/accounts/${id}/unfollow`);
    expect((await counts(id))[0], 'and unfollows it').equal(10);
  });

  it('shows no count below zero when its server hides the counts', async () => {
    const id = await known(serve('shy', { followers: 0, following: 0, posts: 0 }));
    await deliver(server, by('shy'), sent('shy', 'Follow', ALICE));
    await deliver(
      server,
      by('shy'),
      sent('shy', 'Undo', { type: 'Follow', actor: `${peer.origin}/users/shy`, object: ALICE }),
    );
    expect(await counts(id)).deep.equal([0, 0, 0]);
  });

  it('is refreshed after an Update, with at most one count a day', async () => {
    const [first, second] = ['one', 'two'].map((id) => peer.note('changing', id)) as [string, string];
    const id = await known(serve('changing', { followers: 5, pinned: [first], tags: ['rooks', 'jays'] }));
    expect([await pinned(id), await tags(id)]).deep.equal([[first], ['jays', 'rooks']]);
    serve('changing', { followers: 6, pinned: [second], tags: ['jays', 'owls'] });
    await update('changing', documentOf('changing'));
    expect(await pinned(id), 'a minute later').deep.equal([first]);
    await update('changing', { ...documentOf('changing'), name: 'Newer' });
    const waiting = await server.app.db.query(
      `select from jobs.job where name = 'refresh-profile' and state = 'created'`,
    );
    expect(waiting, 'one refresh for both').to.have.length(1);
    serve('changing', { followers: 6, pinned: [second], tags: ['jays', 'owls'] });
    await hurry();
    expect([await pinned(id), await tags(id)]).deep.equal([[second], ['jays', 'owls']]);
    expect((await counts(id))[0]).equal(5);
  });

  it('is refreshed when a local user asks to follow the account', async () => {
    const id = await known(serve('wanted', { followers: 5 }));
    expect(await tags(id)).deep.equal([]);
    serve('wanted', { followers: 5, tags: ['ravens'] });
    await as(bob, 'POST', `/api/v1/accounts/${id}/follow`);
    await server.waitUntilIdle();
    await carriedOut(server);
    expect(await tags(id)).deep.equal(['ravens']);
  });

  it('keeps its values when a collection cannot be fetched, and fetches none from other servers', async () => {
    const note = peer.note('quiet', 'kept');
    const id = await known(serve('quiet', { followers: 9, pinned: [note], tags: ['rooks'] }));
    for (const path of ['followers', 'featured', 'tags']) {
      peer.put(`/users/quiet/${path}`, (_req, res) => void res.status(500).end());
    }
    await update('quiet', documentOf('quiet'));
    serve('elsewhere', {});
    peer.actor('quiet', {
      followers: `${evil.origin}/f`,
      outbox: `${evil.origin}/o`,
      featured: `${evil.origin}/p`,
      featuredTags: `${peer.origin}/users/quiet/tags`,
    });
    await hurry();
    expect([await pinned(id), await tags(id)]).deep.equal([[note], ['rooks']]);
    expect((await counts(id))[0]).equal(9);
    expect(evil.asked.filter(({ path }) => ['/f', '/o', '/p'].includes(path))).deep.equal([]);
  });

  it('pins no post of another account', async () => {
    serve('other', {});
    const [own, theirs, elsewhere] = [
      peer.note('mine', 'own'),
      peer.note('other', 'theirs'),
      evil.note('eve', 'elsewhere'),
    ];
    const id = await known(serve('mine', { pinned: [theirs, elsewhere, own] }));
    expect(await pinned(id)).deep.equal([own]);
    expect(evil.asked.filter(({ path }) => path === '/notes/elsewhere')).deep.equal([]);
  });

  it('applies Add and Remove of a hashtag in either order of arrival', async () => {
    const id = await known(serve('tagging', {}));
    const featured = `${peer.origin}/users/tagging/featured`;
    const change = (type: string, name: string, target = featured): Json =>
      sent('tagging', type, hashtag(name), { target });
    await deliver(server, by('tagging'), change('Add', 'Rooks'));
    expect(await tags(id)).deep.equal(['Rooks']);
    await deliver(server, by('tagging'), change('Remove', 'rooks'));
    expect(await tags(id)).deep.equal([]);
    await expectIgnored(server, by('tagging'), change('Remove', 'jays'), 'overtakes');
    await expectIgnored(server, by('tagging'), change('Add', 'jays'), 'overtaken');
    await hurry();
    expect(await tags(id), 'equal to the collection').deep.equal([]);
    await expectIgnored(server, by('tagging'), change('Add', 'x', `${evil.origin}/x`), 'elsewhere');
    await expectIgnored(
      server,
      by('tagging'),
      sent('tagging', 'Add', { type: 'Hashtag', name: '#1' }, { target: featured }),
      'no hashtag',
    );
    serve('tagging', { tags: ['owls'] });
    const other = `${peer.origin}/users/tagging/tags`;
    await expectIgnored(
      server,
      by('tagging'),
      change('Add', 'owls', other),
      'an unknown target is only noted',
    );
    await hurry();
    expect(await tags(id), 'by the target of other software').deep.equal(['owls']);
  });
});

describe('The decision on remote counts and hashtags', () => {
  const id = '115500000000000000';
  const at = (hours: number): string => new Date(Date.UTC(2026, 10, 24, hours)).toISOString();
  const created = (domain: string | null): AccountEvent => ({
    type: 'AccountCreated',
    data: {
      id,
      username: 'carol',
      domain,
      uri: 'https://far.example/c',
      url: 'https://far.example/c',
      created_at: at(0),
      ...emptyProfile,
    },
  });
  const tallies = (followers: number, known = 0): RemoteTallies => ({
    followers: { total: followers, known },
    following: null,
    statuses: null,
  });
  const counted = (followers: number, hours: number): AccountEvent => ({
    type: 'RemoteAccountCounted',
    data: { account_id: id, counted_at: at(hours), ...tallies(followers) },
  });
  const given = (...events: AccountEvent[]): Account => fold(account, events);

  it('records counts once, and a day later again when they differ from those shown', () => {
    const remote = created('far.example');
    expect(decideCount(given(remote), id, tallies(5), at(1))).deep.equal([counted(5, 1)]);
    expect(decideCount(given(remote), id, tallies(0), at(1)), 'nothing new').deep.equal([]);
    const before = given(remote, counted(5, 1));
    expect(decideCount(before, id, tallies(6), at(20)), 'too soon').deep.equal([]);
    expect(decideCount(before, id, tallies(6), at(25))).deep.equal([counted(6, 25)]);
    expect(
      decideCount(before, id, tallies(6, 1), at(25)),
      'the additional follower is known here',
    ).deep.equal([]);
  });

  it('ignores counts of local, suspended and unknown accounts', () => {
    const suspended: AccountEvent = { type: 'AccountSuspended', data: { account_id: id } };
    for (const state of [given(), given(created(null)), given(created('far.example'), suspended)]) {
      expect(decideCount(state, id, tallies(5), at(1))).deep.equal([]);
    }
  });

  it("replaces featured hashtags by those of the account's server, at most ten", () => {
    const named = (...names: string[]): TagName[] => names.flatMap((name) => parseTagName(name) ?? []);
    let made = 0;
    const options = { accountId: id, newId: () => String((made += 1)) };
    const eleven = named(...Array.from({ length: 11 }, (_, n) => `tag${n}`));
    const events = decideReplace(featuredTags.initialState, [...eleven, ...eleven], options);
    expect(events).to.have.length(10);
    const state = fold(featuredTags, events);
    expect(decideReplace(state, eleven, options)).deep.equal([]);
    const change = decideReplace(state, named('TAG3', 'rooks'), options);
    expect(change.map(({ type, data }) => `${type} ${data.tag}`)).have.members([
      ...eleven
        .slice(0, 10)
        .filter(({ normal }) => normal !== 'tag3')
        .map(({ normal }) => `TagUnfeatured ${normal}`),
      'TagFeatured rooks',
    ]);
    expect(fold(featuredTags, [...events, ...change])).to.have.all.keys('tag3', 'rooks');
  });
});
