import { expect } from 'chai';
import { deliver, expectIgnored, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('An Announce of a Create', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  /** A group that alice follows, such as WordPress's actor of a blog. */
  let blog: string;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice } = await scene.start());
    blog = peer.actor('blog', { type: 'Group' });
    peer.actor('writer');
    evil.actor('writer');
    await scene.follow(alice, 'blog');
  });
  after(() => scene.close());

  const announce = (object: unknown, more: Json = {}): Json =>
    sent('blog', 'Announce', object, { to: [PUBLIC], ...more });
  const creation = (uri: string, more: Json = {}, of = peer): Json =>
    sent(
      ...([
        'writer',
        'Create',
        { id: uri, type: 'Note', content: 'Forged', to: [PUBLIC], ...more },
        {},
        of,
      ] as const),
    );
  const boosts = async (): Promise<Json[]> =>
    (await as(alice, 'GET', `/api/v1/accounts/${await accountOf(blog)}/statuses`)) as Json[];
  const newest = async (): Promise<unknown> =>
    ((await boosts())[0]?.['reblog'] as Json | undefined)?.['content'];

  it('boosts the post, as its own server shows it', async () => {
    const uri = peer.note('writer', 'first', { content: '<p>True</p>' });
    const activity = announce(creation(uri, { attributedTo: `${peer.origin}/users/writer` }));
    await deliver(server, by('blog'), activity);
    expect(await newest()).equal('<p>True</p>');
    const [home] = (await as(alice, 'GET', '/api/v1/timelines/home?limit=1')) as Json[];
    expect((home?.['reblog'] as Json)['uri']).equal(uri);
    // Lemmy sends the post alone as well.
    await deliver(server, by('blog'), announce(uri));
    expect(await boosts()).to.have.length(1);
    await deliver(server, by('blog'), sent('blog', 'Undo', activity));
    expect(await boosts()).deep.equal([]);
  });

  it('boosts the post also when the Create or its object is only named', async () => {
    const [named, whole] = ['named', 'whole'].map((id) => peer.note('writer', id)) as [string, string];
    await deliver(server, by('blog'), announce({ ...creation(named), object: named }));
    expect(await newest()).equal('<p>named</p>');
    const id = peer.put('/creates/whole', { ...creation(whole), id: `${peer.origin}/creates/whole` });
    await deliver(server, by('blog'), announce(id));
    expect(await newest()).equal('<p>whole</p>');
    const loop = `${peer.origin}/creates/loop`;
    peer.put('/creates/loop', { ...creation(loop), id: loop });
    await deliver(server, by('blog'), announce(loop));
    expect(await newest(), 'a Create of itself').equal('<p>whole</p>');
    expect(peer.asked.filter(({ path }) => path === '/creates/loop').length).at.most(4);
  });

  it('boosts a post of this server that its author sent', async () => {
    const { uri, account } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
    const ours = {
      id: `${uri}/activity`,
      type: 'Create',
      actor: account.uri,
      object: { id: uri, type: 'Note' },
    };
    await deliver(server, by('blog'), announce(ours));
    expect(((await boosts())[0]?.['reblog'] as Json)['uri']).equal(uri);
  });

  it('boosts nothing that is forged, missing, a reply or announced by an account without followers here', async () => {
    const before = (await boosts()).length;
    const uri = peer.note('writer', 'other');
    const missing = `${peer.origin}/notes/missing`;
    for (const object of [
      creation(uri, {}, evil),
      creation(missing),
      creation(uri, { inReplyTo: `${peer.origin}/notes/unknown` }),
      creation(peer.note('writer', 'hidden', { to: [`${peer.origin}/users/writer/followers`] })),
      { ...creation(uri), actor: undefined },
      { ...creation(uri), actor: 'x' },
      { ...creation(uri), object: { type: 'Note', content: 'Forged' } },
    ]) {
      await expectIgnored(server, by('blog'), announce(object), JSON.stringify(object));
    }
    const lonely = sent('writer', 'Announce', creation(uri), { to: [PUBLIC] });
    await accountOf(`${peer.origin}/users/writer`);
    await expectIgnored(server, by('writer'), lonely, 'by an account that nobody here follows');
    expect(await boosts()).to.have.length(before);
  });
});
