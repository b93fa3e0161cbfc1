import { expect } from 'chai';
import { attachCard } from '#commands/statuses/index.ts';
import { PreviewCardAttached } from '#events/statuses.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { activity, deliver, FEDERATING, HERE, type Json, PUBLIC } from '../support/inbox.ts';
import { ACTIVITY_JSON, ask, type Peer, startPeer } from '../support/peer.ts';
import { letAccept } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The preview card of a post', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let accountId: string;

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(FEDERATING), startPeer()]);
    alice = await server.user('alice');
    peer.actor('author');
    const found = await server.app.contextDependencies.services.resolver.resolve(`author@${peer.host}`);
    accountId = found?.account ?? '';
    await server.call('POST', `/api/v1/accounts/${accountId}/follow`, { token: alice.token });
    await letAccept(server.app, accountId, alice.id);
    for (const name of ['first', 'chosen', 'other']) {
      const html = `<!doctype html><title>The ${name} page</title>`;
      peer.put(`/pages/${name}`, (_req, res) => void res.type('html').send(html));
    }
  });
  after(() => Promise.all([server.close(), peer.close()]));

  const page = (name: string): string => `${peer.origin}/pages/${name}`;
  const link = (href: string) => ({ type: 'Link', href });
  let made = 0;
  const note = (changes: Json): Json & { id: string } => ({
    id: `${peer.origin}/sent/${(made += 1)}`,
    type: 'Note',
    attributedTo: `${peer.origin}/users/author`,
    content: `<p>See <a href="${page('first')}">this</a></p>`,
    published: new Date().toISOString(),
    to: [PUBLIC],
    ...changes,
  });
  const sent = async (type: string, object: unknown): Promise<void> =>
    deliver(server, { peer, name: 'author' }, activity(peer, 'author', type, object, { to: [PUBLIC] }));
  /** The newest post of the author. */
  const newest = async (): Promise<Status | undefined> => {
    await server.waitUntilIdle();
    const { body } = await server.call('GET', `/api/v1/accounts/${accountId}/statuses?limit=1`, {
      token: alice.token,
    });
    return (body as Status[])[0];
  };

  it('leaves as a Link beside the files of the post, once the page is known', async () => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'Look: https://pages.example/first' },
    });
    await server.waitUntilIdle();
    const { id } = body as Status;
    const [found] = await server.app.db.query<{ content: string }>(
      'select content from statuses where id = $1',
      [id],
    );
    const content = JSON.parse(found?.content ?? '""') as string;
    const sample = PreviewCardAttached.schema.parse(PreviewCardAttached.samples[1]).card;
    if (!sample) throw new Error('The sample has a card');
    const url = 'https://pages.example/first';
    await attachCard(server.app.systemContext('spec'), { id, content, card: { ...sample, url } });
    await server.waitUntilIdle();
    const shown = async (path: string): Promise<Json> => {
      const answer = await ask(server.url, path, { host: 'rookery.example', accept: ACTIVITY_JSON });
      return JSON.parse(answer.body) as Json;
    };
    const path = (body as Status).uri.slice(HERE.length);
    expect((await shown(path))['attachment']).deep.equal([link(url)]);
    const plain = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'No link' },
    });
    await server.waitUntilIdle();
    const without = (plain.body as Status).uri.slice(HERE.length);
    expect((await shown(without))['attachment']).deep.equal([]);
  });

  it('is of the page that the author attached, rather than of the first link in the text', async () => {
    await sent('Create', note({ attachment: [link(page('chosen')), link(page('other'))] }));
    expect((await newest())?.card).to.include({ url: page('chosen'), title: 'The chosen page' });
    await sent('Create', note({ attachment: [] }));
    expect((await newest())?.card?.url, 'without an attached page').equal(page('first'));
  });

  it('is of the page that the author attached instead when they edit the post', async () => {
    const post = note({ attachment: link(page('chosen')) });
    await sent('Create', post);
    const updated = new Date(Date.now() + 1_000).toISOString();
    await sent('Update', {
      ...post,
      content: `${String(post['content'])}<p>Anew</p>`,
      updated,
      attachment: link(page('other')),
    });
    expect((await newest())?.card?.url).equal(page('other'));
    const again = new Date(Date.now() + 2_000).toISOString();
    await sent('Update', { ...post, updated: again, attachment: [] });
    expect((await newest())?.card?.url).equal(page('first'));
  });

  it('is of the text when the attached page is none, or is of this server', async () => {
    for (const href of [
      `${HERE}/about`,
      'javascript:alert(1)',
      7,
      null,
      `${peer.origin}/${'x'.repeat(3_000)}`,
    ]) {
      await sent('Create', note({ attachment: [{ type: 'Link', href }] }));
      expect((await newest())?.card?.url, String(href).slice(0, 30)).equal(page('first'));
    }
  });
});
