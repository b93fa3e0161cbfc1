import { expect } from 'chai';
import { inboxScene } from '../federation/inbox-scene.ts';
import { deliver, type Json } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import { suspendAccount } from '../support/remote.ts';
import type { TestServer, TestUser } from '../support/server.ts';

/** The host of all pages here. */
const HOST = '127.0.0.1';

describe('The author of a linked page', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, note, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;
  let made = 0;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice, bob } = await scene.start());
    peer.actor('writer');
    await scene.follow(alice, 'writer');
  });
  after(() => scene.close());

  /** Serves a page and returns its address. */
  const page = (head: string): string =>
    peer.put(
      `/pages/${(made += 1)}`,
      (_req, res) => void res.type('text/html').send(`<html><head><title>Rooks</title>${head}</head></html>`),
    );
  const creator = (handle: string): string => `<meta name="fediverse:creator" content="${handle}">`;
  /** Returns the card of a new post that links to an address. */
  const cardAt = async (address: string, viewer = alice): Promise<Json> => {
    const post = note('writer', { content: `<p><a href="${address}">page</a></p>` });
    await deliver(server, by('writer'), sent('writer', 'Create', post));
    const id = (await scene.resolve(post.id))?.status;
    return ((await as(viewer, 'GET', `/api/v1/statuses/${id}`)) as { card: Json }).card;
  };
  const authorsAt = async (address: string): Promise<Json[]> => (await cardAt(address))['authors'] as Json[];
  const creditedAt = async (address: string): Promise<unknown[]> =>
    (await authorsAt(address)).map(({ account }) => (account as Json | null)?.['acct'] ?? null);
  const allow = (user: TestUser, ...domains: string[]): Promise<unknown> =>
    as(user, 'PATCH', '/api/v1/accounts/update_credentials', { attribution_domains: domains });

  it('is a user of this server who allows the host of the page', async () => {
    const address = page(`${creator('@bob@rookery.example')}<meta name="author" content="Bob B.">`);
    expect(await authorsAt(address), 'not allowed').deep.equal([{ name: 'Bob B.', url: '', account: null }]);
    await allow(bob, HOST);
    const card = await cardAt(address);
    expect(card).deep.include({ author_name: 'Bob B.', author_url: '', missing_attribution: false });
    const [author] = card['authors'] as Json[];
    expect(author).deep.include({ name: 'Bob B.', url: '' });
    const account = (await as(alice, 'GET', `/api/v1/accounts/${bob.id}`)) as Json;
    expect(author?.['account']).deep.equal(account);
    expect(card).not.have.property('author_account_id');
    await allow(bob, 'elsewhere.example');
    expect(await creditedAt(address), 'allowed no longer').deep.equal([null]);
  });

  it('is an account of another server, which is fetched when it is unknown', async () => {
    peer.actor('ann', { name: 'Ann', attributionDomains: ['ELSEWHERE.example.', HOST, 7, 'no domain'] });
    const address = page(creator(`ann@${peer.host}`));
    const card = await cardAt(address);
    const [author] = card['authors'] as { name: string; url: string; account: Json }[];
    expect(author).deep.include({ name: '', url: '' });
    expect(author?.account).deep.include({ acct: `ann@${peer.host}`, display_name: 'Ann' });
    peer.actor('deny', { attributionDomains: ['elsewhere.example'] });
    expect(await creditedAt(page(creator(`@deny@${peer.host}`)))).deep.equal([]);
    await deliver(
      server,
      by('deny'),
      sent('deny', 'Update', {
        id: `${peer.origin}/users/deny`,
        type: 'Person',
        preferredUsername: 'deny',
        inbox: `${peer.origin}/users/deny/inbox`,
        attributionDomains: HOST,
      }),
    );
    expect(await creditedAt(page(creator(`@deny@${peer.host}`)))).deep.equal([`deny@${peer.host}`]);
  });

  it('is missing when the page names no handle, an unknown one, or a suspended account', async () => {
    for (const handle of [
      '',
      'ann',
      '@nobody@127.0.0.1:1',
      `@missing@${peer.host}`,
      'https://x.example/@ann',
      '@a b@c.example',
    ]) {
      expect(await creditedAt(page(creator(handle))), handle).deep.equal([]);
    }
    const gone = await accountOf(peer.actor('gone', { attributionDomains: [HOST] }));
    const address = page(creator(`gone@${peer.host}`));
    const before = note('writer', { content: `<p><a href="${address}">page</a></p>` });
    await deliver(server, by('writer'), sent('writer', 'Create', before));
    const id = (await scene.resolve(before.id))?.status;
    const shown = async (): Promise<unknown> => {
      const { card } = (await as(alice, 'GET', `/api/v1/statuses/${id}`)) as { card: Json };
      return (card['authors'] as Json[])[0]?.['account'];
    };
    expect(await shown()).not.equal(null);
    await suspendAccount(server.app, gone);
    await server.waitUntilIdle();
    expect(await shown(), 'suspended later').equal(null);
    expect(await creditedAt(address), 'suspended before').deep.equal([]);
  });

  it('is asked for at most thirty times at one server, however many pages name it', async () => {
    const pages = Array.from({ length: 40 }, (_, n) => page(creator(`@many${n}@${evil.host}`)));
    for (const address of pages) {
      const post = note('writer', { content: `<p><a href="${address}">page</a></p>` });
      await deliver(server, by('writer'), sent('writer', 'Create', post));
    }
    const asked = evil.asked.filter(({ path }) => path.includes('many'));
    expect(asked).to.have.length(30);
    expect(peer.asked.filter(({ path }) => path === new URL(pages[39] ?? '').pathname)).to.have.length(1);
  });
});
