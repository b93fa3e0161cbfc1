import { expect } from 'chai';
import type { Context } from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('Replies known to other servers', function () {
  this.timeout(60_000);
  let server: TestServer;
  let peer: Peer;
  let other: Peer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    [server, peer, other] = await Promise.all([
      startTestServer({ LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }),
      startPeer(),
      startPeer(),
    ]);
    alice = await server.user('alice');
    peer.actor('carol');
    other.actor('dan');
  });
  after(() => Promise.all([server.close(), peer.close(), other.close()]));

  const known = async (uri: string): Promise<string> => {
    const found = await server.app.contextDependencies.services.resolver.resolve(uri);
    expect(found, uri).to.have.property('status');
    return found?.status ?? '';
  };
  const contextOf = async (id: string, token: string | undefined = alice.token) => {
    const { status, headers, body } = await server.call('GET', `/api/v1/statuses/${id}/context`, { token });
    expect(status).to.equal(200);
    return { context: body as Context, header: headers.get('mastodon-async-refresh') };
  };
  const repliesTo = async (id: string): Promise<string[]> =>
    (await contextOf(id)).context.descendants.map(({ uri }) => uri);
  /** Waits until the refresh named in the header has finished. Returns its result count. */
  const ended = async (header: string | null): Promise<number | null> => {
    const id = /^id="([\w-]+)", retry=5, result_count=0$/.exec(header ?? '')?.[1];
    expect(id, header ?? 'no header').to.be.a('string');
    return eventually(async () => {
      const { body } = await server.call('GET', `/api/v1_alpha/async_refreshes/${id}`, {
        token: alice.token,
      });
      const refresh = (body as { async_refresh: { status: string; result_count: number } }).async_refresh;
      expect(refresh.status).to.equal('finished');
      return refresh.result_count;
    });
  };
  const asksFor = (server_: Peer, path: string): number =>
    server_.asked.filter((each) => each.path === path).length;

  it('are fetched from their own servers when a user opens the post', async () => {
    const uri = `${peer.origin}/notes/root`;
    const [own, far, late] = [
      peer.note('carol', 'own', { inReplyTo: uri }),
      other.note('dan', 'far', { inReplyTo: uri }),
      peer.note('carol', 'late', { inReplyTo: uri }),
    ];
    const page = `${uri}/replies?page=2`;
    peer.note('carol', 'root', {
      replies: {
        id: `${uri}/replies`,
        type: 'Collection',
        first: {
          type: 'CollectionPage',
          next: `${uri}/more`,
          partOf: `${uri}/replies`,
          items: [own, own, 7, null],
        },
      },
    });
    peer.put('/notes/root/more', {
      id: `${uri}/more`,
      type: 'CollectionPage',
      next: page,
      items: [{ id: far, type: 'Note' }, late, `${peer.origin}/notes/absent`],
    });
    const id = await known(uri);
    const { context, header } = await contextOf(id);
    expect(context.descendants).to.deep.equal([]);
    expect(await ended(header)).to.equal(3);
    expect(await repliesTo(id)).to.have.members([own, far, late]);
    // The post was refreshed a moment ago, so no second refresh starts.
    const before = asksFor(peer, '/notes/root');
    expect((await contextOf(id)).header).to.equal(null);
    expect(asksFor(peer, '/notes/root')).to.equal(before);
  });

  it('are fetched at any depth from their own servers, also below replies known here', async () => {
    const at = (server_: Peer, name: string): string => `${server_.origin}/notes/${name}`;
    const chain = [
      [peer, 'carol', 'deep'],
      [other, 'dan', 'deep-1'],
      [peer, 'carol', 'deep-2'],
      [other, 'dan', 'deep-3'],
      [peer, 'carol', 'deep-4'],
    ] as const;
    for (const [index, [server_, author, name]] of chain.entries()) {
      const uri = at(server_, name);
      const before = chain[index - 1];
      const after = chain[index + 1];
      const next = after ? [at(after[0], after[2])] : [at(peer, 'deep')];
      server_.note(author, name, {
        ...(before ? { inReplyTo: at(before[0], before[2]) } : {}),
        replies: {
          id: `${uri}/replies`,
          type: 'Collection',
          first: {
            type: 'CollectionPage',
            next: `${uri}/replies?page=true`,
            partOf: `${uri}/replies`,
            items: [],
          },
        },
      });
      server_.put(`/notes/${name}/replies`, {
        id: `${uri}/replies?page=true`,
        type: 'CollectionPage',
        partOf: `${uri}/replies`,
        items: next,
      });
    }
    const id = await known(at(peer, 'deep'));
    await known(at(other, 'deep-1'));
    expect(await ended((await contextOf(id)).header)).to.equal(3);
    expect(await repliesTo(id)).to.deep.equal(chain.slice(1).map(([server_, , name]) => at(server_, name)));
    expect(asksFor(peer, '/notes/deep')).to.equal(2);
  });

  it('count as results only when they are new, so the count may be zero', async () => {
    const uri = `${peer.origin}/notes/lonely`;
    peer.note('carol', 'lonely', { replies: { id: `${uri}/replies`, type: 'Collection', items: [] } });
    expect(await ended((await contextOf(await known(uri))).header)).to.equal(0);
  });

  it('are not taken from a collection on another server than the post', async () => {
    const uri = `${peer.origin}/notes/trap`;
    const elsewhere = other.put('/replies', {
      id: `${other.origin}/replies`,
      type: 'Collection',
      items: [other.note('dan', 'foisted', { inReplyTo: uri })],
    });
    peer.note('carol', 'trap', { replies: elsewhere });
    expect(await ended((await contextOf(await known(uri))).header)).to.equal(0);
    expect(asksFor(other, '/replies')).to.equal(0);
  });

  it('are read from at most three pages of a collection', async () => {
    const uri = `${peer.origin}/notes/endless`;
    for (let page = 0; page < 20; page += 1) {
      const name = (number: number) => `${uri}/${number}`;
      peer.put(`/notes/endless/${page}`, {
        id: name(page),
        type: 'CollectionPage',
        next: name(page + 1),
        items: [],
      });
    }
    peer.note('carol', 'endless', { replies: `${uri}/0` });
    expect(await ended((await contextOf(await known(uri))).header)).to.equal(0);
    expect(asksFor(peer, '/notes/endless/2')).to.equal(1);
    expect(asksFor(peer, '/notes/endless/3')).to.equal(0);
  });

  it('are not fetched for visitors without a token, for local posts and for new posts', async () => {
    const fresh = peer.note('carol', 'fresh', { published: new Date().toISOString() });
    const settled = peer.note('carol', 'settled');
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'ours' },
    });
    expect((await contextOf(await known(fresh))).header).to.equal(null);
    expect((await contextOf((body as { id: string }).id)).header).to.equal(null);
    const { headers, status } = await server.call('GET', `/api/v1/statuses/${await known(settled)}/context`);
    expect([status, headers.get('mastodon-async-refresh')]).to.deep.equal([200, null]);
  });
});
