import { expect } from 'chai';
import { decideResolve } from '#commands/federation/index.ts';
import { status } from '#commands/statuses/index.ts';
import { StatusCreated, StatusEdited, type StatusEvent } from '#events/statuses.ts';
import { eventually } from '../support/eventually.ts';
import { carriedOut, deliver, type Json, PUBLIC } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('Mentions of unknown accounts', function () {
  this.timeout(120_000);
  const scene = inboxScene();
  const { as, by, note, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;

  before(async () => {
    ({ server, peer, evil, alice } = await scene.start());
    peer.actor('author');
    await scene.follow(alice, 'author');
  });
  after(() => scene.close());

  const names = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  const handles = (list: readonly string[], of = peer): string[] => list.map((name) => `${name}@${of.host}`);
  const mentioning = (list: readonly string[], changes: Json = {}, of = peer): Json & { id: string } =>
    note('author', {
      ...changes,
      tag: list.map((name) => ({ type: 'Mention', href: `${of.origin}/users/${name}`, name: `@${name}` })),
    });
  const mentionsOf = async ({ id }: { id: string }): Promise<string[]> => {
    const { status: found } = (await scene.resolve(id)) ?? {};
    const post = await as(alice, 'GET', `/api/v1/statuses/${found ?? ''}`);
    return post.mentions.map(({ acct }: Json) => acct);
  };

  it('are all resolved, in the order of the post', async () => {
    const list = names('many', 24);
    for (const name of list) peer.actor(name);
    const post = mentioning(list);
    await deliver(server, by('author'), sent('author', 'Create', post));
    expect(await mentionsOf(post)).deep.equal(handles(list));
  });

  it('are resolved after an edit, and the same edit again changes nothing', async () => {
    const [before, after] = [names('early', 2), names('late', 15)];
    for (const name of [...before, ...after]) peer.actor(name);
    const post = mentioning(before);
    await deliver(server, by('author'), sent('author', 'Create', post));
    const edited = {
      ...mentioning([...after, ...before]),
      id: post.id,
      content: '<p>More rooks</p>',
      updated: '2026-11-20T09:00:00Z',
    };
    await deliver(server, by('author'), sent('author', 'Update', edited));
    expect(await mentionsOf(post)).deep.equal(handles([...before, ...after]));
    await deliver(server, by('author'), sent('author', 'Update', edited));
    const { status: id } = (await scene.resolve(post.id)) ?? {};
    const history = await as(alice, 'GET', `/api/v1/statuses/${id ?? ''}/history`);
    expect(history).to.have.length(2);
  });

  it('are retried when the server of the account is down, but not for an address without account', async () => {
    const uri = evil.put('/users/asleep', (_req, res) => void res.status(503).end());
    const post = mentioning(['nobody', 'asleep'], {}, evil);
    await deliver(server, by('author'), sent('author', 'Create', post));
    expect(await mentionsOf(post)).deep.equal([]);
    expect(uri).equal(evil.actor('asleep'));
    const asked = (): number => evil.asked.filter(({ path }) => path === '/users/nobody').length;
    const before = asked();
    await server.app.db.query(
      `update jobs.job set start_after = now() where name = 'resolve-mentions' and state = 'created'`,
    );
    await eventually(async () => {
      await server.waitUntilIdle();
      expect(await mentionsOf(post)).deep.equal(handles(['asleep'], evil));
    });
    expect(asked()).equal(before);
  });

  /** Runs waiting jobs at once, and returns the requests to the other server since `from`. */
  const askedAfterAll = async (from: number): Promise<string[]> => {
    for (let round = 0; round < 6; round += 1) {
      await server.waitUntilIdle();
      await server.app.db.query(`update jobs.job set start_after = now() where state = 'created'`);
    }
    await carriedOut(server);
    return evil.asked.slice(from).map(({ path }) => path);
  };

  it('cause at most ten requests to a third server, two for each account that becomes known', async () => {
    const list = names('crowd', 60);
    for (const name of list) evil.actor(name);
    const from = evil.asked.length;
    const post = mentioning(list, {}, evil);
    await deliver(server, by('author'), sent('author', 'Create', post));
    const asked = await askedAfterAll(from);
    expect(asked.length, asked.join('\n')).to.be.within(4, 10);
    expect(await mentionsOf(post)).deep.equal(handles(names('crowd', asked.length / 2), evil));
  });

  it('cause at most ten requests to a third server that answers with errors', async () => {
    const list = names('broken', 60);
    for (const name of list) evil.put(`/users/${name}`, (_req, res) => void res.status(503).end());
    const from = evil.asked.length;
    await deliver(server, by('author'), sent('author', 'Create', mentioning(list, {}, evil)));
    expect(await askedAfterAll(from)).to.have.length.at.most(10);
  });

  it('cause at most ten requests to a server that accounts have moved to, or that redirects lead to', async () => {
    const [movers, lead] = [names('mover', 30), names('lead', 30)];
    for (const name of movers) {
      peer.actor(name, { movedTo: `${evil.origin}/users/target-${name}` });
      evil.actor(`target-${name}`);
    }
    for (const name of lead) {
      peer.put(`/users/${name}`, (_req, res) => res.redirect(302, `${evil.origin}/users/target-${name}`));
    }
    peer.actor('second');
    await scene.follow(alice, 'second');
    for (const list of [movers, lead]) {
      const from = evil.asked.length;
      const tag = list.map((name) => ({ type: 'Mention', href: `${peer.origin}/users/${name}`, name }));
      await deliver(server, by('second'), sent('second', 'Create', note('second', { tag })));
      const asked = (await askedAfterAll(from)).filter((path) => path.includes('target'));
      expect(asked, asked.join('\n')).to.have.length.at.most(10);
    }
  });

  it('cause at most ten requests to the server of a post that another server boosts', async () => {
    const list = names('boosted', 60);
    for (const name of list) evil.actor(name);
    evil.actor('writer');
    const tag = list.map((name) => ({ type: 'Mention', href: `${evil.origin}/users/${name}`, name }));
    const uri = evil.note('writer', 'boosted', { tag });
    const from = evil.asked.length;
    await deliver(server, by('author'), sent('author', 'Announce', uri, { to: [PUBLIC] }));
    const asked = (await askedAfterAll(from)).filter(
      (path) => path.includes('boosted') && path !== '/notes/boosted',
    );
    expect(asked).to.have.length.within(4, 10);
  });

  it('are not added to a post whose later edit drops them', () => {
    const uri = 'https://wide.example/users/holly';
    const mention = { id: '3', username: 'holly', acct: 'holly@wide.example', url: uri };
    const own = { id: '1', account_id: '2' };
    const data = {
      ...(StatusCreated.samples[8] as unknown as Extract<StatusEvent, { type: 'StatusCreated' }>['data']),
      ...own,
    };
    const edit = { ...StatusEdited.samples[4], ...data, unresolved_mentions: [] };
    const stateAfter = (...events: StatusEvent[]) => events.reduce(status.evolve, status.initialState);
    const created = stateAfter({ type: 'StatusCreated', data });
    const events = decideResolve(created, own, [{ uri, mention }]);
    expect(events).deep.equal([
      { type: 'MentionsResolved', data: { id: '1', account_id: '2', uris: [uri], mentions: [mention] } },
    ]);
    expect(decideResolve(events.reduce(status.evolve, created), own, [{ uri, mention }])).deep.equal([]);
    const edited = stateAfter({ type: 'StatusCreated', data }, {
      type: 'StatusEdited',
      data: edit,
    } as unknown as StatusEvent);
    expect(decideResolve(edited, own, [{ uri, mention }])).deep.equal([]);
  });
});
