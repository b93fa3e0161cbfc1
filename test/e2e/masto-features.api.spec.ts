import { expect } from 'chai';
import { createRestAPIClient, type mastodon } from 'masto';
import sharp from 'sharp';
import { startTestServer, type TestServer } from '../support/server.ts';

/**
 * Everyday use of an app through the library that many apps use, which knows the shapes of Mastodon's
 * replies.
 */
describe('An app in everyday use with the npm package masto', () => {
  let server: TestServer;
  let alice: mastodon.rest.Client;
  let bob: mastodon.rest.Client;
  let aliceId: string;
  let bobId: string;

  before(async () => {
    server = await startTestServer();
    const client = async (username: string): Promise<[mastodon.rest.Client, string]> => {
      const { id, token } = await server.user(username);
      return [createRestAPIClient({ url: server.url, accessToken: token }), id];
    };
    [alice, aliceId] = await client('alice');
    [bob, bobId] = await client('bob');
  });
  after(() => server.close());

  const picture = async (): Promise<Blob> => {
    const create = { width: 640, height: 480, channels: 3 as const, background: '#a0522d' };
    const bytes = await sharp({ create }).png().toBuffer();
    return new Blob([new Uint8Array(bytes)], { type: 'image/png' });
  };
  const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

  it('posts a picture with a description', async () => {
    const media = await alice.v2.media.create({ file: await picture(), description: 'brown' });
    const posted = await alice.v1.statuses.create({ status: 'look', mediaIds: [media.id] });
    const [attached] = posted.mediaAttachments;
    expect(attached).to.include({ id: media.id, type: 'image', description: 'brown' });
    expect(
      (await fetch(new URL(new URL(attached?.url ?? '').pathname, server.url))).headers.get('content-type'),
    ).to.equal('image/png');
    const onlyMedia = await bob.v1.accounts.$select(aliceId).statuses.list({ onlyMedia: true });
    expect(idsOf(onlyMedia)).to.deep.equal([posted.id]);
  });

  it('creates a poll and votes', async () => {
    const poll = { options: ['yes', 'no'], expiresIn: 600, multiple: false };
    const asked = await alice.v1.statuses.create({ status: 'well?', poll });
    const voted = await bob.v1.polls.$select(asked.poll?.id ?? '').votes.create({ choices: [1] });
    expect(voted.options.map(({ votesCount }) => votesCount)).to.deep.equal([0, 1]);
    expect(voted.ownVotes).to.deep.equal([1]);
  });

  it('favourites, bookmarks, reblogs and pins a post', async () => {
    const posted = await alice.v1.statuses.create({ status: 'please' });
    const target = bob.v1.statuses.$select(posted.id);
    expect((await target.favourite()).favourited).to.equal(true);
    expect((await target.bookmark()).bookmarked).to.equal(true);
    expect((await target.reblog()).reblog?.id).to.equal(posted.id);
    expect((await alice.v1.statuses.$select(posted.id).pin()).pinned).to.equal(true);
    expect(idsOf(await bob.v1.favourites.list())).to.deep.equal([posted.id]);
    expect(idsOf(await bob.v1.bookmarks.list())).to.deep.equal([posted.id]);
    expect(idsOf(await bob.v1.statuses.$select(posted.id).favouritedBy.list())).to.deep.equal([bobId]);
  });

  it('lists notifications, plain and grouped, and clears them', async () => {
    await server.waitUntilIdle();
    const types = (await alice.v1.notifications.list()).map(({ type }) => type);
    expect(types).to.include.members(['favourite', 'reblog']);
    const grouped = await alice.v2.notifications.list();
    expect(grouped.notificationGroups.length).to.be.greaterThan(0);
    expect(grouped.accounts.map(({ id }) => id)).to.include(bobId);
    await alice.v1.notifications.clear();
    expect(await alice.v1.notifications.list()).to.deep.equal([]);
  });

  it('schedules a post, moves it and cancels it', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = await alice.v1.statuses.create({ status: 'tomorrow', scheduledAt });
    const [scheduled] = await alice.v1.scheduledStatuses.list();
    expect(scheduled?.params.text).to.equal('tomorrow');
    const moved = new Date(Date.now() + 7_200_000).toISOString();
    const changed = await alice.v1.scheduledStatuses.$select(later.id).update({ scheduledAt: moved });
    expect(changed.scheduledAt).to.equal(moved);
    await alice.v1.scheduledStatuses.$select(later.id).remove();
    expect(await alice.v1.scheduledStatuses.list()).to.deep.equal([]);
  });

  it('filters posts by a keyword', async () => {
    const filter = await bob.v2.filters.create({
      title: 'spoilers',
      context: ['home'],
      filterAction: 'warn',
      keywordsAttributes: [{ keyword: 'ending', wholeWord: true }],
    });
    const posted = await alice.v1.statuses.create({ status: 'The ending is sad' });
    const seen = await bob.v1.statuses.$select(posted.id).fetch();
    expect(seen.filtered?.[0]?.filter.id).to.equal(filter.id);
    expect(seen.filtered?.[0]?.keywordMatches).to.deep.equal(['ending']);
    await bob.v2.filters.$select(filter.id).remove();
    expect((await bob.v1.statuses.$select(posted.id).fetch()).filtered).to.deep.equal([]);
  });

  it('keeps lists of accounts', async () => {
    await bob.v1.accounts.$select(aliceId).follow();
    const list = await bob.v1.lists.create({ title: 'friends' });
    await bob.v1.lists.$select(list.id).accounts.create({ accountIds: [aliceId] });
    expect(idsOf(await bob.v1.lists.$select(list.id).accounts.list())).to.deep.equal([aliceId]);
    expect(idsOf(await bob.v1.accounts.$select(aliceId).lists.list())).to.deep.equal([list.id]);
  });

  it('mutes, blocks, notes and features accounts', async () => {
    const target = bob.v1.accounts.$select(aliceId);
    expect((await target.note.create({ comment: 'from work' })).note).to.equal('from work');
    expect((await target.pin()).endorsed).to.equal(true);
    expect((await target.mute({ notifications: false, duration: 600 })).muting).to.equal(true);
    expect(idsOf(await bob.v1.mutes.list())).to.deep.equal([aliceId]);
    expect((await target.unmute()).muting).to.equal(false);
    expect(await target.block()).to.include({ blocking: true, following: false, endorsed: false });
    expect(idsOf(await bob.v1.blocks.list())).to.deep.equal([aliceId]);
    expect((await target.unblock()).blocking).to.equal(false);
    await bob.v1.domainBlocks.create({ domain: 'spam.example' });
    expect([...(await bob.v1.domainBlocks.list())]).to.deep.equal(['spam.example']);
  });

  it('follows and features hashtags', async () => {
    expect((await bob.v1.tags.$select('chess').follow()).following).to.equal(true);
    expect((await bob.v1.followedTags.list()).map(({ name }) => name)).to.deep.equal(['chess']);
    const featured = await bob.v1.featuredTags.create({ name: 'chess' });
    expect((await bob.v1.featuredTags.list()).map(({ id }) => id)).to.deep.equal([featured.id]);
  });

  it('saves reading positions and reads preferences', async () => {
    const marker = await bob.v1.markers.create({ home: { lastReadId: '115500000000000000' } });
    expect(marker.home.lastReadId).to.equal('115500000000000000');
    expect((await bob.v1.markers.fetch({ timeline: ['home'] })).home.version).to.equal(marker.home.version);
    expect((await bob.v1.preferences.fetch())['posting:default:visibility']).to.equal('public');
  });
});
