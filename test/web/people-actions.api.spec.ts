import { expect } from 'chai';
import { alertOf, doneOf, headingOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { remoteAccount } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { badgesOf, buttonsOf, pageOf, press, pressed, type Relation, relationTo } from './people-support.ts';

describe('Acts on an account in the web client', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let far: string;
  let browser: Browser;

  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    [alice, bob, carol] = await Promise.all([server.user('alice'), server.user('bob'), server.user('carol')]);
    far = await remoteAccount(server.app, 'far', 'far.example');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const api = async (who: TestUser, method: string, path: string, body?: object) => {
    const answer = await server.call(method, `/api/v1/${path}`, { token: who.token, ...(body && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer;
  };
  const relation = (id: string): Promise<Relation> => relationTo(server, alice.token, id);
  /** Submits the form of a page, and opens the page that it leads to. */
  const submitted = async (path: string, fields: Record<string, string> = {}) => {
    const page = await browser.open(path);
    expect(page.status, path).to.equal(200);
    const done = await browser.submit(path, fields);
    expect(done.status, `${path}: ${alertOf(done)}`).to.equal(303);
    return browser.open(locationOf(done));
  };

  it('follows and unfollows with one press each, also when pressed twice', async () => {
    const profile = await browser.open('/@bob');
    const followed = await pressed(browser, profile, 'Follow');
    expect(buttonsOf(followed)).to.include('Unfollow');
    expect((await press(browser, profile, 'Follow')).status).to.equal(303);
    expect((await relation(bob.id)).following).to.equal(true);
    const unfollowed = await pressed(browser, followed, 'Unfollow');
    expect(buttonsOf(unfollowed)).to.include('Follow');
    expect((await press(browser, followed, 'Unfollow')).status).to.equal(303);
    expect((await relation(bob.id)).following).to.equal(false);
  });

  it('asks to follow a locked account, takes that back, and asks before unfollowing it', async () => {
    await api(carol, 'PATCH', 'accounts/update_credentials', { locked: true });
    let profile = await pressed(browser, await browser.open('/@carol'), 'Request to follow');
    expect(badgesOf(profile)).to.include('Requested');
    profile = await pressed(browser, profile, 'Cancel request');
    expect(await relation(carol.id)).to.include({ requested: false, following: false });
    await pressed(browser, profile, 'Request to follow');
    await api(carol, 'POST', `follow_requests/${alice.id}/authorize`);
    const asked = await browser.open('/@carol/unfollow');
    expect(headingOf(asked)).to.equal('Unfollow this account?');
    expect((await relation(carol.id)).following).to.equal(true);
    await submitted('/@carol/unfollow');
    expect((await relation(carol.id)).following).to.equal(false);
  });

  it('keeps the settings of a follow', async () => {
    await pressed(browser, await browser.open('/@bob'), 'Follow');
    await submitted('/@bob/follow', { notify: 'true', 'languages[]': 'de' });
    expect(await relation(bob.id)).to.deep.include({
      notifying: true,
      showing_reblogs: false,
      languages: ['de'],
    });
    const page = pageOf(await browser.open('/@bob/follow'));
    const ticked = page
      .all('input', { type: 'checkbox' })
      .filter(({ attributes }) => 'checked' in attributes);
    expect(ticked.map(({ attributes }) => attributes['id'])).to.deep.equal(['notify', 'l-de']);
    const refused = await browser.submit('/@bob/follow', { notify: 'true', 'languages[]': 'klingon' });
    expect([refused.status, (await relation(bob.id)).languages]).to.deep.equal([422, ['de']]);
    await submitted('/@bob/follow', { reblogs: 'true' });
    expect(await relation(bob.id)).to.include({ notifying: false, showing_reblogs: true });
  });

  it('features an account that it follows', async () => {
    const profile = await pressed(browser, await browser.open('/@bob'), 'Feature on profile');
    expect(badgesOf(profile)).to.include('Featured on your profile');
    expect((await browser.open('/@alice/featured')).body).to.contain('@bob@');
    await pressed(browser, profile, "Don't feature on profile");
    expect((await relation(bob.id)).endorsed).to.equal(false);
  });

  it('adds an account to lists and removes it', async () => {
    expect((await browser.open('/@bob/lists')).body).to.contain("You don't have any lists yet.");
    const ids: string[] = [];
    for (const title of ['Birds', '<Trees>']) {
      ids.push(((await api(alice, 'POST', 'lists', { title })).body as { id: string }).id);
    }
    await submitted('/@bob/lists', { 'lists[]': ids[0]! });
    const holding = async (): Promise<string[]> =>
      ((await api(alice, 'GET', `accounts/${bob.id}/lists`)).body as { title: string }[]).map(
        ({ title }) => title,
      );
    expect(await holding()).to.deep.equal(['Birds']);
    await submitted('/@bob/lists', { 'lists[]': ids[1]! });
    expect(await holding()).to.deep.equal(['<Trees>']);
    await submitted('/@bob/lists', { 'lists[]': '999' });
    expect(await holding()).to.deep.equal([]);
    expect((await browser.open('/@carol/lists')).status).to.equal(404);
  });

  it('removes a follower after asking', async () => {
    await api(bob, 'POST', `accounts/${alice.id}/follow`);
    expect(headingOf(await browser.open('/@bob/remove_from_followers'))).to.equal('Remove this follower?');
    expect((await relation(bob.id)).followed_by).to.equal(true);
    expect(doneOf(await submitted('/@bob/remove_from_followers'))).to.contain('no longer follows you');
    expect((await relation(bob.id)).followed_by).to.equal(false);
  });

  it('mutes for a while, refuses a duration that is none, and unmutes with a way back', async () => {
    await submitted('/@bob/mute', { duration: '3600', notifications: 'true' });
    const { muting, muting_notifications, muting_expires_at } = await relation(bob.id);
    expect([muting, muting_notifications]).to.deep.equal([true, true]);
    expect(Date.parse(muting_expires_at!)).to.be.greaterThan(0);
    expect(badgesOf(await browser.open('/@bob')).join()).to.match(/Muted until \d+ \w+ \d{4}/);
    expect((await browser.open('/mutes')).body).to.contain('Muted until');
    const undone = await pressed(browser, await browser.open('/mutes'), 'Unmute: bob');
    expect(pageOf(undone).one('div', { role: 'status' })?.text).to.contain('You unmuted bob.');
    expect((await relation(bob.id)).muting).to.equal(false);
    await pressed(browser, undone, 'Mute again');
    expect((await relation(bob.id)).muting).to.equal(true);
    await pressed(browser, await browser.open('/@bob'), 'Unmute');
    for (const duration of ['-1', 'soon', '99999999999999', '1e99', '']) {
      await browser.open('/@bob/mute');
      const refused = await browser.submit('/@bob/mute', { duration });
      expect([refused.status, alertOf(refused) !== undefined], duration).to.deep.equal([422, true]);
    }
    expect((await relation(bob.id)).muting).to.equal(false);
  });

  it('blocks after asking, and unblocks with a way back', async () => {
    const asked = await browser.open('/@bob/block');
    expect(asked.body).to.contain("they can see that they're blocked");
    expect((await relation(bob.id)).blocking).to.equal(false);
    const profile = await submitted('/@bob/block');
    expect(badgesOf(profile)).to.deep.equal(['Blocked']);
    expect(buttonsOf(profile)).to.include('Unblock').and.not.to.include('Follow');
    const undone = await pressed(browser, await browser.open('/blocks'), 'Unblock: bob');
    expect((await relation(bob.id)).blocking).to.equal(false);
    await pressed(browser, undone, 'Block again');
    expect((await relation(bob.id)).blocking).to.equal(true);
    await pressed(browser, await browser.open('/@bob'), 'Unblock');
    expect((await browser.open('/blocks?undo=999')).status).to.equal(200);
    expect((await browser.open('/blocks?undo=%3Cb%3E&max_id=x')).status).to.equal(200);
  });

  it('blocks the domain of an account after showing what that ends', async () => {
    await pressed(browser, await browser.open('/@far@far.example'), 'Follow').catch(() => undefined);
    const asked = await browser.open('/@far@far.example/block_domain');
    expect(headingOf(asked)).to.equal('Block the domain far.example?');
    expect(asked.body).to.match(/You have no followers and no follows there|You will lose/);
    const profile = await submitted('/@far@far.example/block_domain');
    expect(badgesOf(profile)).to.include('Domain blocked');
    await pressed(browser, profile, 'Unblock domain');
    expect((await relation(far)).domain_blocking).to.equal(false);
    expect((await browser.open('/@bob/block_domain')).status).to.equal(404);
  });

  it('blocks domains by a form, and takes only domains', async () => {
    for (const wrong of ['not a domain', 'https://far.example/x', 'a..b', 'x'.repeat(2_000)]) {
      const page = await browser.open(`/domain_blocks/new?domain=${encodeURIComponent(wrong)}`);
      expect([page.status, alertOf(page)], wrong).to.deep.equal([422, 'This is not a valid domain name.']);
    }
    const asked = await browser.open('/domain_blocks/new?domain=Spam.Example.');
    expect(headingOf(asked)).to.equal('Block the domain spam.example?');
    const done = await browser.submit('/domain_blocks/new', {});
    expect(locationOf(done)).to.equal('/domain_blocks?done=domain_blocked');
    await browser.open('/domain_blocks/new?domain=spam.example');
    const forged = await browser.submit('/domain_blocks/new', { domain: 'no domain' });
    expect(forged.status).to.equal(422);
    const list = await browser.open('/domain_blocks');
    const undone = await pressed(browser, list, 'Unblock: spam.example');
    expect(undone.body).to.contain('There are no blocked domains yet.');
    const again = await pressed(browser, undone, 'Block again');
    expect(buttonsOf(again)).to.include('Unblock: spam.example');
    expect((await browser.open('/domain_blocks?undo=%3Cscript%3E')).body).not.to.contain('<script>');
  });

  it('answers follow requests, and says when one is gone', async () => {
    await api(alice, 'PATCH', 'accounts/update_credentials', { locked: true });
    await api(bob, 'POST', `accounts/${alice.id}/follow`);
    await api(carol, 'POST', `accounts/${alice.id}/follow`);
    const list = await browser.open('/follow_requests');
    expect(badgesOf(await browser.open('/@bob'))).to.include('Asked to follow you');
    const accepted = await pressed(browser, list, 'Accept: bob');
    expect((await relation(bob.id)).followed_by).to.equal(true);
    const rejected = await pressed(browser, list, 'Reject: carol');
    expect(doneOf(rejected)).to.equal('You rejected the request.');
    expect((await relation(carol.id)).followed_by).to.equal(false);
    const twice = await press(browser, list, 'Accept: bob');
    expect([twice.status, alertOf(twice)]).to.deep.equal([422, 'There is no such request now.']);
    await pressed(browser, accepted, 'Remove from followers');
    expect((await relation(bob.id)).followed_by).to.equal(false);
    for (const accept of ['', 'x', "1' or 1=1"]) {
      expect((await press(browser, list, 'Accept: bob', { accept })).status, accept).to.equal(404);
    }
  });

  it('refuses acts on unknown accounts, on oneself, and by blocked accounts, with a page', async () => {
    const page = await browser.open('/@bob');
    const csrf = pageOf(page).one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';
    const act = (path: string, fields: Record<string, string> = {}) =>
      browser.post(path, { csrf_token: csrf, return_to: '/@bob', ...fields });
    for (const id of ['999', 'x', '0', '99999999999999999999']) {
      for (const name of ['follow', 'unfollow', 'block', 'mute', 'endorse', 'unblock']) {
        expect((await act(`/web/v1/accounts/${id}/${name}`)).status, `${id} ${name}`).to.equal(404);
      }
    }
    expect((await act(`/web/v1/accounts/${alice.id}/follow`)).status).to.equal(403);
    await api(bob, 'POST', `accounts/${alice.id}/block`);
    const refused = await act(`/web/v1/accounts/${bob.id}/follow`);
    expect([refused.status, headingOf(refused)]).to.deep.equal([403, 'Not possible']);
    expect((await relation(bob.id)).following).to.equal(false);
    expect((await act(`/web/v1/accounts/${carol.id}/follow`, { csrf_token: 'x' })).status).to.equal(403);
    const away = await act(`/web/v1/accounts/${carol.id}/unmute`, { return_to: 'https://evil.example/' });
    expect(locationOf(away)).to.match(/^\/home/);
  });

  it('lists people who want to be found, for everybody', async () => {
    await api(carol, 'PATCH', 'accounts/update_credentials', { discoverable: true });
    await server.waitUntilIdle();
    for (const path of ['/directory', '/directory?order=new&local=true', '/directory?order=x&offset=-1']) {
      expect((await browser.open(path)).body, path).to.contain('@carol@');
      const stranger = await server.call('GET', path, { headers: { Accept: 'text/html' } });
      expect(stranger.body, path).to.contain('@carol@').and.not.to.contain('form="act"');
    }
    expect((await browser.open('/directory?offset=20')).body).to.contain('No profiles are listed here.');
  });
});
