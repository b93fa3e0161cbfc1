import { expect } from 'chai';
import { doneOf, headingOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { FEDERATING } from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { letFollow, remoteAccount, suspendAccount } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { badgesOf, buttonsOf, linksOf, pageOf, press } from './people-support.ts';

describe('The profile of an account in the web client', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let far: string;
  let browser: Browser;

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
    [alice, bob, carol] = await Promise.all([server.user('alice'), server.user('bob'), server.user('carol')]);
    far = await remoteAccount(server.app, 'far', 'far.example');
    browser = await signedIn(server, 'alice');
  });
  after(() => Promise.all([server.close(), peer.close()]));

  const call = async <Body = { id: string }>(
    who: TestUser,
    path: string,
    body: object = {},
  ): Promise<Body> => {
    const answer = await server.call('POST', `/api/v1/${path}`, { token: who.token, body });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body as Body;
  };
  const posted = (who: TestUser, status: string, more: object = {}): Promise<{ id: string }> =>
    call(who, 'statuses', { status, ...more });
  const postsAt = async (path: string): Promise<string[]> => {
    await server.waitUntilIdle();
    const answer = await browser.open(path);
    expect(answer.status, path).to.equal(200);
    return pageOf(answer)
      .posts()
      .map((text) => /(?:first|second|answer|tagged|pinned)\b/.exec(text)?.[0] ?? text);
  };

  it('has tabs, and shows a pinned post once', async () => {
    const first = await posted(bob, 'first');
    await posted(bob, 'answer', { in_reply_to_id: (await posted(carol, 'of carol')).id });
    await posted(bob, 'second #rooks');
    const pinned = await posted(bob, 'pinned');
    await call(bob, `statuses/${pinned.id}/pin`);
    await call(bob, 'featured_tags', { name: 'Rooks' });
    expect(await postsAt('/@bob')).to.deep.equal(['pinned', 'second', 'first']);
    expect(await postsAt('/@bob/with_replies')).to.deep.equal(['pinned', 'second', 'answer', 'first']);
    expect(await postsAt('/@bob/media')).to.deep.equal([]);
    expect(await postsAt('/@bob/tagged/Rooks')).to.deep.equal(['second']);
    expect(await postsAt(`/@bob?max_id=${pinned.id}`)).to.deep.equal(['second', 'first']);
    expect(await postsAt(`/@bob?max_id=${first.id}`)).to.deep.equal([]);
    const page = pageOf(await browser.open('/@bob/media'));
    const current = page.all('a', { 'aria-current': 'page' }).map(({ text }) => text);
    expect(current).to.deep.equal(['Media']);
    expect((await browser.open('/@bob/tagged/-')).status).to.equal(404);
    const featured = await browser.open('/@bob/featured');
    expect(linksOf(featured)['#Rooks']).to.equal('/@bob/tagged/Rooks');
  });

  it('gives strangers the public page, feed readers the feed, and programs the document', async () => {
    const stranger = await server.call('GET', '/@bob', { headers: { Accept: 'text/html' } });
    expect(stranger.headers.get('cache-control')).to.equal('public, max-age=15');
    expect(buttonsOf(stranger)).to.include('Follow');
    expect(linksOf(stranger)['Follow']).to.equal(
      `/interact?${new URLSearchParams({ uri: `${server.app.instance.origin}/users/bob`, kind: 'follow' }).toString()}`,
    );
    const feed = await browser.open('/@bob.rss');
    expect(feed.headers.get('content-type')).to.contain('application/rss+xml');
    for (const path of ['/@bob/more', '/@bob/mute', '/blocks', '/follow_requests']) {
      const { status, headers } = await server.call('GET', path, { headers: { Accept: 'text/html' } });
      expect([status, headers.get('location')], path).to.deep.equal([
        303,
        `/auth/sign_in?return_to=${encodeURIComponent(path)}`,
      ]);
    }
  });

  it('shows the own profile with a way to edit it, and no buttons against oneself', async () => {
    const own = await browser.open('/@alice');
    expect(buttonsOf(own)).to.include('Edit profile');
    for (const label of ['Follow', 'Block', 'Mute', 'Report']) expect(own.body).not.to.contain(`>${label}<`);
    for (const path of ['follow', 'mute', 'block', 'report', 'note', 'unfollow', 'remove_from_followers']) {
      expect((await browser.open(`/@alice/${path}`)).status, path).to.equal(404);
    }
  });

  it('shows the relationship, and the followers that both know', async () => {
    await call(carol, `accounts/${bob.id}/follow`);
    await call(alice, `accounts/${carol.id}/follow`);
    await call(bob, `accounts/${alice.id}/follow`);
    await call(alice, `accounts/${bob.id}/note`, { comment: 'met in <Rome>' });
    const profile = await browser.open('/@bob');
    expect(badgesOf(profile)).to.deep.equal(['Follows you']);
    expect(buttonsOf(profile)).to.include('Follow back');
    const page = pageOf(profile);
    expect(page.one('p', { class: 'familiar' })?.text.replaceAll(/\s+/g, ' ').trim()).to.equal(
      'Followed by carol',
    );
    expect(page.one('div', { class: 'private-note' })?.text).to.contain('met in <Rome>');
    expect(linksOf(profile)).to.include({
      '1 follower': '/@bob/followers',
      '1 following': '/@bob/following',
    });
  });

  it('leads from the own domain in a handle to the short address', async () => {
    const { domain } = server.app.instance;
    expect(locationOf(await browser.open(`/@bob@${domain}/media`))).to.equal('/@bob/media');
    expect((await browser.open('/@BOB')).status).to.equal(200);
    expect((await browser.open('/@nobody')).status).to.equal(404);
    expect((await browser.open('/@nobody/more')).status).to.equal(404);
  });

  it('shows remote accounts, also ones that were not known yet', async () => {
    const profile = await browser.open('/@far@far.example');
    expect(headingOf(profile)).to.contain('@far@far.example');
    expect(linksOf(profile)['Open original page']).to.equal('https://far.example/users/far');
    peer.actor('dora', { name: 'Dora of afar' });
    const unknown = await browser.open(`/@dora@${peer.host}`);
    expect([unknown.status, headingOf(unknown)?.includes('Dora of afar')]).to.deep.equal([200, true]);
    expect((await browser.open(`/@missing@${peer.host}`)).status).to.equal(404);
    expect((await server.call('GET', '/@far@far.example', { redirect: 'manual' } as object)).status).to.equal(
      302,
    );
  });

  it('lists followers and follows, with a button for each, and says when they are hidden', async () => {
    const followers = await browser.open('/@bob/followers');
    expect(buttonsOf(followers)).to.include('Unfollow: carol');
    const done = await press(browser, followers, 'Unfollow: carol');
    expect([done.status, locationOf(done)]).to.deep.equal([303, '/@bob/followers']);
    await call(alice, `accounts/${carol.id}/follow`);
    expect((await browser.open('/@bob/following')).body).to.contain('@alice@');
    expect(locationOf(await browser.open('/followers'))).to.equal('/@alice/followers');
    await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: bob.token,
      body: { hide_collections: true },
    });
    for (const path of ['/@bob/followers', '/@bob/following']) {
      expect((await browser.open(path)).body, path).to.contain('has chosen not to make this list available');
      const stranger = await server.call('GET', path, { headers: { Accept: 'text/html' } });
      expect(stranger.body, path).to.contain('has chosen not to make this list available');
    }
    await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: bob.token,
      body: { hide_collections: false },
    });
    const stranger = await server.call('GET', '/@bob/followers', { headers: { Accept: 'text/html' } });
    expect(stranger.body).to.contain('@carol@');
  });

  it('says that an account is suspended, and offers neither follow nor report', async () => {
    const gone = await remoteAccount(server.app, 'gone', 'far.example');
    await suspendAccount(server.app, gone);
    const profile = await browser.open('/@gone@far.example');
    expect(profile.status).to.equal(200);
    expect(profile.body).to.contain('This account is suspended.');
    expect(buttonsOf(profile)).not.to.include('Follow');
    expect((await browser.open('/@gone@far.example/report')).status).to.equal(404);
  });

  it('keeps a saved note, and shows a note that is too long again', async () => {
    await browser.open('/@bob/note');
    const saved = await browser.submit('/@bob/note', { comment: 'one\r\ntwo' });
    expect(doneOf(await browser.open(locationOf(saved)))).to.equal('Your note is saved.');
    expect((await browser.open('/@bob/note')).body).to.contain('one\ntwo');
    const refused = await browser.submit('/@bob/note', { comment: 'x'.repeat(2_001) });
    expect([refused.status, (refused.body as string).includes('x'.repeat(2_001))]).to.deep.equal([422, true]);
  });

  it('takes as many statements for many posts and followers as for few', async () => {
    const statements = async (path: string): Promise<number> => {
      await server.waitUntilIdle();
      await browser.open(path);
      const asked = await statementsOfRequests(server.app.db, async () => {
        expect((await browser.open(path)).status).to.equal(200);
      });
      return asked.length;
    };
    const paths = ['/@bob', '/@bob/featured', '/@bob/followers', '/directory'];
    const before: number[] = [];
    for (const path of paths) before.push(await statements(path));
    for (let number = 0; number < 12; number += 1) {
      await posted(bob, `number ${number}`);
      await letFollow(server.app, await remoteAccount(server.app, `fan${number}`, 'far.example'), bob.id);
    }
    await letFollow(server.app, far, bob.id);
    for (const [index, path] of paths.entries()) {
      expect(await statements(path), path).to.be.at.most(before[index]! + 3);
    }
    expect(Math.min(...before)).to.be.at.least(1);
  });
});
