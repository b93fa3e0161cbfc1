import { expect } from 'chai';
import { actorWithInbox, carriedOut, deliver, type Json } from '../support/inbox.ts';
import { ACTIVITY_JSON, type Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('A handle on another domain than its account', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  const { as, by } = scene;
  let server: TestServer;
  let peer: Peer;
  /** The domain of the handles. */
  let vanity: Peer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil: vanity, alice } = await scene.start());
  });
  after(() => scene.close());

  /** Serves an actor on `peer` whose handle is on `vanity`; both agree. Returns its URI. */
  function split(name: string, arrivals: Json[] = []): string {
    const uri = actorWithInbox(peer, name, arrivals);
    const answer = {
      subject: `acct:${name}@${vanity.host}`,
      links: [{ rel: 'self', type: ACTIVITY_JSON, href: uri }],
    };
    peer.finger(name, answer);
    vanity.finger(name, answer);
    return uri;
  }
  const search = async (q: string, more = ''): Promise<string[]> => {
    const found = (await as(alice, 'GET', `/api/v2/search?q=${encodeURIComponent(q)}${more}`)) as {
      accounts: { acct: string }[];
    };
    return found.accounts.map(({ acct }) => acct);
  };
  const asked = (): number => peer.asked.length + vanity.asked.length;

  it('finds the account by either handle, and asks no server a second time', async () => {
    split('nora');
    const acct = `nora@${vanity.host}`;
    expect(await search(`@nora@${peer.host}`, '&resolve=true')).deep.equal([acct]);
    await carriedOut(server);
    const before = asked();
    for (const handle of [`@nora@${peer.host}`, `nora@${vanity.host}`, `NORA@${peer.host}`]) {
      expect(await search(handle, '&resolve=true'), handle).deep.equal([acct]);
      expect(await search(handle), handle).deep.equal([acct]);
      const accounts = (await as(alice, 'GET', `/api/v1/accounts/search?resolve=true&q=${handle}`)) as Json[];
      expect(accounts.map((one) => one['acct'])).deep.equal([acct]);
    }
    expect(asked(), 'requests').equal(before);
  });

  it('is looked up and named in posts by the other handle', async () => {
    const arrivals: Json[] = [];
    const uri = split('olga', arrivals);
    const { account: id = '' } = (await scene.resolve(`olga@${peer.host}`)) ?? {};
    const alias = `olga@${peer.host}`;
    expect((await as(alice, 'GET', `/api/v1/accounts/lookup?acct=${alias}`)).id).equal(id);
    const post = await as(alice, 'POST', '/api/v1/statuses', {
      status: `@${alias} hello`,
      visibility: 'direct',
    });
    expect(post.mentions).deep.equal([
      { id, username: 'olga', acct: `olga@${vanity.host}`, url: post.mentions[0].url },
    ]);
    expect(post.content).contain(post.mentions[0].url);
    await scene.news();
    const [created] = arrivals.filter(({ type }) => type === 'Create');
    expect((created?.['object'] as Json | undefined)?.['to']).deep.equal([uri]);
  });

  it('is found by the handle of its host when it became known by its address', async () => {
    const uri = split('paul');
    await deliver(server, by('paul'), scene.sent('paul', 'Follow', 'http://rookery.example/users/alice'));
    expect(await search(`paul@${peer.host}`)).deep.equal([`paul@${vanity.host}`]);
    expect((await scene.resolve(uri))?.account).to.be.a('string');
  });

  it('leads to the account that the domain names last', async () => {
    actorWithInbox(peer, 'rosa', []);
    actorWithInbox(peer, 'rosalind', []);
    const point = (name: string): void =>
      vanity.finger('boss', {
        subject: `acct:${name}@${peer.host}`,
        links: [{ rel: 'self', type: ACTIVITY_JSON, href: `${peer.origin}/users/${name}` }],
      });
    const { services } = server.app.contextDependencies;
    for (const name of ['rosa', 'rosalind']) {
      point(name);
      await services.resolver.identify(`boss@${vanity.host}`);
      expect(await search(`boss@${vanity.host}`)).deep.equal([`${name}@${peer.host}`]);
    }
    // An account of its own takes the handle.
    actorWithInbox(vanity, 'boss', []);
    await services.resolver.identify(`boss@${vanity.host}`);
    expect(await search(`boss@${vanity.host}`)).deep.equal([`boss@${vanity.host}`]);
  });
});
