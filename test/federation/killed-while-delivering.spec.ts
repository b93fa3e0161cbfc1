import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { expect } from 'chai';
import { send as request, signUp } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { activity, FEDERATING, HERE, send } from '../support/inbox.ts';
import { startPeer, type Peer } from '../support/peer.ts';
import {
  differences,
  discard,
  freshSettings,
  startRookery,
  type RookeryProcess,
  type Settings,
} from '../support/process.ts';

const SERVERS = 4;
const POSTS = 40;
/** Arrivals before the kill: in the middle of `SERVERS * POSTS`. */
const ENOUGH = 50;
const LEASE_SECONDS = 15;

/** Another server with an inbox that takes its time. */
interface Far {
  peer: Peer;
  /** The ids of all posts that came, in order, with repeats. */
  arrived: string[];
  /** Of those that it has taken and not answered. */
  unanswered: Set<string>;
}

describe('A server that is killed in the middle of many deliveries', function () {
  this.timeout(180_000);
  let settings: Settings;
  let rookery: RookeryProcess;
  let all: Far[];
  let killed = false;

  before(async () => {
    settings = await freshSettings({
      ...{ ...FEDERATING, LOCAL_DOMAIN: 'rookery.example', LOG_LEVEL: 'fatal' },
      DELIVERY_LEASE_SECONDS: String(LEASE_SECONDS),
    });
    rookery = await startRookery(settings);
    all = await Promise.all(Array.from({ length: SERVERS }, startFar));
  });
  after(async () => {
    await rookery.end();
    await Promise.all(all.map(({ peer }) => peer.close()));
    await discard(settings);
  });

  async function startFar(): Promise<Far> {
    const peer = await startPeer();
    const far: Far = { peer, arrived: [], unanswered: new Set() };
    peer.actor('fan');
    const take = async (req: Request, res: Response): Promise<void> => {
      const { id, type } = JSON.parse((await buffer(req)).toString()) as { id: string; type: string };
      if (type === 'Create') {
        far.arrived.push(id);
        far.unanswered.add(id);
        await sleep(80);
        // What is answered after the kill reaches nobody.
        if (killed) return void res.destroy();
        far.unanswered.delete(id);
      }
      res.status(202).end();
    };
    peer.put('/users/fan/inbox', (req, res) => void take(req, res));
    return far;
  }
  const arrivals = (): number => all.reduce((sum, { arrived }) => sum + arrived.length, 0);

  it('sends every activity at least once, and what was under way again when its lease is over', async () => {
    const { token } = await signUp(rookery.url, settings['DATA_DIR'] ?? '', 'alice');
    for (const { peer } of all) {
      const follow = activity(peer, 'fan', 'Follow', `${HERE}/users/alice`);
      expect((await send(rookery, { peer, name: 'fan' }, follow)).status).to.equal(202);
    }
    await eventually(async () => {
      const me = await request(rookery.url, 'GET', '/api/v1/accounts/verify_credentials', { token });
      expect(me.body.followers_count).to.equal(SERVERS);
    });

    const posts = await Promise.all(
      Array.from({ length: POSTS }, async (_, index) => {
        const body = { status: `burst ${index}` };
        const reply = await request(rookery.url, 'POST', '/api/v1/statuses', { token, body });
        expect(reply.status).to.equal(200);
        return `${reply.body.uri as string}/activity`;
      }),
    );
    while (arrivals() < ENOUGH) await sleep(5);
    killed = true;
    await rookery.end('SIGKILL');
    expect(arrivals(), 'the kill came before the end').to.be.lessThan(SERVERS * POSTS);
    const underWay = all.map(({ unanswered }) => [...unanswered]);
    expect(underWay.flat(), 'some were under way').not.to.deep.equal([]);
    const before = all.map(({ arrived }) => arrived.length);
    killed = false;

    rookery = await startRookery(settings);
    const late = (): string[] =>
      all.flatMap(({ arrived }, index) => [
        ...posts.filter((id) => !arrived.includes(id)),
        // Nobody here knows whether they were taken.
        ...(underWay[index] ?? []).filter((id) => !arrived.slice(before[index]).includes(id)),
      ]);
    // As long as it takes, the test's own timeout being the bound.
    while (late().length > 0) await sleep(50);
    // Nothing but those posts came, under their own names: who has seen an id before has nothing to do.
    for (const { arrived } of all) expect([...new Set(arrived)].sort()).to.deep.equal([...posts].sort());
    expect(arrivals() - SERVERS * POSTS, 'repeats').to.be.within(underWay.flat().length, 2 * SERVERS * 4);
  });

  it('has nothing left to send, and sound read models', async () => {
    await eventually(async () => {
      const { url } = rookery;
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(/^federation_deliveries_queued (\d+)$/m.exec(metrics)?.[1]).to.equal('0');
    });
    await rookery.end();
    expect(await differences(settings)).to.deep.equal([]);
  });
});
