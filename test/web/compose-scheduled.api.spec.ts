import { expect } from 'chai';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { sendForm, valueOf } from './filled-form.ts';

// Replies are checked against their schema.
type Json = Answer['body'];

describe('The scheduled posts', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const schedule = async (status: string, user = alice): Promise<string> => {
    const body = { status, scheduled_at: inHours(30) };
    const answer = await server.call('POST', '/api/v1/statuses', { token: user.token, body });
    expect(answer.status).to.equal(200);
    await server.waitUntilIdle();
    return answer.body.id as string;
  };
  const waiting = async (): Promise<Json[]> => {
    await server.waitUntilIdle();
    return (await server.call('GET', '/api/v1/scheduled_statuses', { token: alice.token })).body as Json[];
  };
  const send = (page: Answer, marker: string, type: Record<string, string> = {}): Promise<Answer> =>
    sendForm(server, browser, page, { marker, type });

  it('says that there are none', async () => {
    expect((await browser.open('/scheduled')).body).to.contain('No post is scheduled');
  });

  it('lists the own posts with their time and text, page by page', async () => {
    const texts = Array.from({ length: 21 }, (_, index) => `Post <${index}>`);
    for (const text of texts) await schedule(text);
    await schedule('Of bob', bob);
    const page = await browser.open('/scheduled');
    const shown = load(page.body);
    expect(headingOf(page)).to.equal('Scheduled posts');
    expect(shown.posts()).to.have.length(20);
    expect(shown.posts()[0]).to.contain('Post <20>').and.to.contain('UTC');
    const older = shown.one('a', { rel: 'next' })?.attributes['href'] ?? '';
    const rest = load((await browser.open(older)).body).posts();
    expect(rest).to.have.length(1);
    expect(rest[0]).to.contain('Post <0>');
  });

  it('changes the time, and refuses one that is too near with what was typed', async () => {
    const id = await schedule('Movable');
    const path = `/scheduled/${id}`;
    const page = await browser.open(path);
    const before = (await waiting()).find((each) => each.id === id);
    expect(valueOf(page, 'scheduled_at', path)).to.equal(before.scheduled_at.slice(0, 16));
    for (const bad of [inHours(0.05).slice(0, 16), '2020-01-01T00:00', 'soon']) {
      const refused = await send(page, path, { scheduled_at: bad });
      expect(refused.status, bad).to.equal(422);
      expect(alertOf(refused)).to.match(/five minutes|no date/);
      expect(valueOf(refused, 'scheduled_at', path)).to.equal(bad);
    }
    expect((await waiting()).find((each) => each.id === id).scheduled_at).to.equal(before.scheduled_at);
    const later = inHours(80).slice(0, 16);
    const done = await follow(browser, await send(page, path, { scheduled_at: later, zone: '-03:00' }));
    expect(doneOf(done)).to.equal('The time of your post is changed.');
    const after = (await waiting()).find((each) => each.id === id);
    expect(after.scheduled_at).to.equal(new Date(`${later}-03:00`).toISOString());
  });

  it('asks before it cancels a post', async () => {
    const id = await schedule('Never mind');
    const path = `/scheduled/${id}/cancel`;
    const page = await browser.open(path);
    expect(load(page.body).posts()[0]).to.contain('Never mind');
    expect((await waiting()).some((each) => each.id === id)).to.equal(true);
    const answer = await send(page, path);
    expect(locationOf(answer)).to.equal('/scheduled?done=post_cancelled');
    expect((await waiting()).some((each) => each.id === id)).to.equal(false);
    expect((await send(page, path)).status).to.equal(404);
  });

  it('shows and changes no post of others', async () => {
    const id = await schedule('Private to bob', bob);
    for (const path of [`/scheduled/${id}`, `/scheduled/${id}/cancel`, '/scheduled/x', '/scheduled/1']) {
      expect((await browser.open(path)).status, path).to.equal(404);
    }
    const home = await browser.open('/publish');
    const csrf_token = valueOf(home, 'csrf_token');
    expect((await browser.post(`/scheduled/${id}/cancel`, { csrf_token })).status).to.equal(404);
    const body = { csrf_token, scheduled_at: inHours(50).slice(0, 16) };
    expect((await browser.post(`/scheduled/${id}`, body)).status).to.equal(404);
    const theirs = await server.call('GET', `/api/v1/scheduled_statuses/${id}`, { token: bob.token });
    expect(theirs.status).to.equal(200);
  });
});
