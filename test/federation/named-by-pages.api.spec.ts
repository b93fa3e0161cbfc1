import { expect } from 'chai';
import { carriedOut, deliver, type Json, PUBLIC } from '../support/inbox.ts';
import { ACTIVITY_JSON, type Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('A document that a page names', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, note, resolve, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice } = await scene.start());
    peer.actor('writer');
    await scene.follow(alice, 'writer');
  });
  after(() => scene.close());

  const page = (path: string, html: string, headers: Record<string, string> = {}, of = peer): string =>
    of.put(
      path,
      (_req, res) => void res.set({ 'Content-Type': 'text/html; charset=utf-8', ...headers }).send(html),
    );
  const alternate = (href: string, type = ACTIVITY_JSON, rel = 'alternate'): string =>
    `<!doctype html><html><head><title>Rooks</title><link rel="${rel}" type='${type}' href="${href}"></head></html>`;
  const searched = async (address: string): Promise<Json> =>
    (await as(alice, 'GET', `/api/v2/search?resolve=true&q=${encodeURIComponent(address)}`)) as Json;
  const postsAt = async (address: string): Promise<unknown[]> =>
    ((await searched(address))['statuses'] as Json[]).map(({ uri }) => uri);

  it('is found by a search for the page, named in its head or its header Link', async () => {
    const uri = peer.note('writer', 'first');
    expect(await postsAt(page('/pages/absolute', alternate(uri)))).deep.equal([uri]);
    const profile = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
    const second = peer.note('writer', 'second');
    expect(await postsAt(page('/pages/relative', alternate('/notes/second', profile)))).deep.equal([second]);
    const third = peer.note('writer', 'third');
    const header = `<https://x.example/feed>; rel="alternate"; type="application/rss+xml", <${third}>; rel=alternate; type="${ACTIVITY_JSON}"`;
    expect(await postsAt(page('/pages/header', '<p>No head</p>', { Link: header }))).deep.equal([third]);
    const person = peer.actor('person');
    const { accounts } = await searched(page('/@person', alternate(person)));
    expect((accounts as Json[]).map((one) => one['uri'])).deep.equal([person]);
    const asked = peer.asked.find(({ path }) => path === '/pages/absolute');
    expect(asked?.headers.accept).match(/^application\/activity\+json, .*text\/html;q=0\.1$/);
  });

  it('becomes the parent of a reply to the page, and is quoted and boosted by its address', async () => {
    const parentPage = page('/pages/parent', alternate('/notes/parent'));
    const parent = peer.note('writer', 'parent', { url: parentPage });
    const reply = note('writer', { inReplyTo: parentPage });
    await deliver(server, by('writer'), sent('writer', 'Create', reply));
    await carriedOut(server);
    const status = await resolve(reply.id);
    const context = await as(alice, 'GET', `/api/v1/statuses/${status?.status}/context`);
    expect((context.ancestors as Json[]).map(({ uri }) => uri)).deep.equal([parent]);
    const quotedPage = page('/pages/quoted', alternate('/notes/quoted'));
    const quoted = peer.note('writer', 'quoted', { url: quotedPage });
    const quoting = note('writer', { quote: quotedPage });
    await deliver(server, by('writer'), sent('writer', 'Create', quoting));
    const shown = await as(alice, 'GET', `/api/v1/statuses/${(await resolve(quoting.id))?.status}`);
    expect(shown.quote.quoted_status?.uri).equal(quoted);
    const boosted = peer.note('writer', 'boosted');
    const announce = sent('writer', 'Announce', page('/pages/boosted', alternate(boosted)), { to: [PUBLIC] });
    await deliver(server, by('writer'), announce);
    const [newest] = await as(
      alice,
      'GET',
      `/api/v1/accounts/${await accountOf(peer.actor('writer'))}/statuses`,
    );
    expect(newest.reblog.uri).equal(boosted);
  });

  it('must come from the server of its id, one step from the page', async () => {
    const forged = { id: `${peer.origin}/notes/forged`, type: 'Note', content: 'x', to: PUBLIC };
    evil.put('/forged', { ...forged, attributedTo: `${peer.origin}/users/writer` });
    const far = page('/pages/1', alternate(peer.note('writer', 'behind')));
    for (const [why, html] of [
      ['an id of another server', alternate(`${evil.origin}/forged`)],
      ['a second page', alternate(far)],
      ['itself', alternate('/pages/refused')],
      ['a script', alternate('javascript:alert(1)')],
      ['this server', alternate('http://rookery.example/users/alice')],
      ['a private address', alternate('http://169.254.169.254/latest')],
      ['another relation', alternate('/notes/behind', ACTIVITY_JSON, 'stylesheet')],
      ['another type', alternate('/notes/behind', 'application/json')],
      ['nothing', '<p>Rooks</p>'],
      ['unclosed tags', '<link '.repeat(100_000)],
    ] as const) {
      const before = await server.app.log.head();
      const path = `/pages/refused${encodeURIComponent(why)}`;
      expect(await postsAt(page(path, html.replace('/pages/refused', path))), why).deep.equal([]);
      expect(await server.app.log.head(), why).equal(before);
      expect(peer.asked.filter((one) => one.path === path).length, why).at.most(2);
    }
  });

  it('is not looked for by a mention, which costs one request', async () => {
    const profile = page('/@mentioned', alternate(peer.actor('mentioned')));
    const tag = { type: 'Mention', href: profile, name: '@mentioned' };
    await deliver(server, by('writer'), sent('writer', 'Create', note('writer', { tag })));
    expect(peer.asked.filter(({ path }) => path === '/users/mentioned')).deep.equal([]);
  });
});
