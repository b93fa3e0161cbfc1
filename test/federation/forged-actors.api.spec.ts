import { expect } from 'chai';
import { admitsNewSender, forgetNewSenders } from '#interfaces/federation/inbox/new-senders.ts';
import { carriedOut, deliver, type Json, send } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('Actors that a server invents', function () {
  this.timeout(120_000);
  const scene = inboxScene();
  const { accountOf, as, by, sent } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    ({ server, peer, evil, alice } = await scene.start());
  });
  after(() => scene.close());

  const vote = (name: string, uri: string, title: string, of: Peer): Json => {
    const object = { type: 'Note', attributedTo: `${of.origin}/users/${name}`, name: title, inReplyTo: uri };
    return sent(name, 'Create', { id: `${of.origin}/votes/${name}`, ...object, to: [ALICE] }, {}, of);
  };
  const isKnown = async (uri: string): Promise<boolean> =>
    (await server.app.db.query('select from accounts where uri = $1', [uri])).length > 0;

  it('cast at most 25 votes in a poll while others have cast fewer; known accounts are not limited', async () => {
    const friend = evil.actor('early');
    await accountOf(friend);
    const poll = { options: ['a', 'b'], expires_in: 600 };
    const { id, uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Which?', poll });
    const count = async (): Promise<number[]> =>
      (await as(alice, 'GET', `/api/v1/statuses/${id}`)).poll.options.map((one: Json) => one['votes_count']);
    for (let made = 0; made < 25; made += 1) {
      const name = `made-up-${made}`;
      evil.actor(name);
      const { status } = await send(server, by(name, evil), vote(name, uri, 'a', evil));
      expect(status).equal(202);
    }
    await carriedOut(server);
    expect(await count()).deep.equal([25, 0]);
    const late = evil.actor('late');
    await deliver(server, by('late', evil), vote('late', uri, 'a', evil));
    expect(await count(), 'one stranger too many').deep.equal([25, 0]);
    expect(await isKnown(late), 'it stays unknown').equal(false);
    await deliver(server, by('early', evil), vote('early', uri, 'a', evil));
    peer.actor('other');
    await deliver(server, by('other'), vote('other', uri, 'b', peer));
    expect(await count(), 'known before, or from another server').deep.equal([26, 1]);
  });

  it('become known up to a daily limit, which all hosts of a site share', async () => {
    const { db } = server.app;
    const day = '2026-11-24T10:00:00.000Z';
    const admitted = [];
    for (let sender = 0; sender < 4; sender += 1) {
      admitted.push(await admitsNewSender(db, 'site.example', day, 3));
    }
    expect(admitted).deep.equal([true, true, true, false]);
    expect(await admitsNewSender(db, 'other.example', day, 3)).equal(true);
    expect(await admitsNewSender(db, 'site.example', '2026-11-25T00:00:00.000Z', 3)).equal(true);
    await db.query(`update durable.new_senders set day = day - 400`);
    await forgetNewSenders(db);
    expect(await db.query('select from durable.new_senders')).deep.equal([]);
  });

  it('are ignored once their site has reached the daily limit', async () => {
    const { db } = server.app;
    await db.query(
      `insert into durable.new_senders (site, day, senders) select $1, d, 5000
       from unnest(array[now() at time zone 'utc', now() at time zone 'utc' + interval '1 day']) d`,
      [evil.host],
    );
    const { uri } = await as(alice, 'POST', '/api/v1/statuses', { status: 'Rooks' });
    const admirer = evil.actor('admirer');
    await deliver(server, by('admirer', evil), sent('admirer', 'Like', uri, {}, evil));
    await deliver(server, by('admirer', evil), sent('admirer', 'Follow', ALICE, {}, evil));
    expect(await isKnown(admirer)).equal(false);
    peer.actor('fan');
    await deliver(server, by('fan'), sent('fan', 'Like', uri));
    expect(await isKnown(`${peer.origin}/users/fan`), 'of another server').equal(true);
  });
});
