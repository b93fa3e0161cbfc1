import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { send as request, signUp } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { activity, FEDERATING, HERE, send } from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import {
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const SERVERS = 4;
const POSTS = 40;
/** Arrivals before the kill: fewer than `SERVERS * POSTS`. */
const ENOUGH = 50;
const LEASE_SECONDS = 15;

/** Another server with a slow inbox. */
interface Far {
  peer: Peer;
  /** The ids of all posts that arrived, in order, with repeats. */
  arrived: string[];
  /** The ids that arrived and have no reply yet. */
  unanswered: Set<string>;
}

describe('A server that is killed while it delivers', function () {
  this.timeout(180_000);
  let settings: Settings;
  let rookery: RookeryProcess;
  let all: Far[];
  let killed = false;

  before(async () => {
    settings = await freshSettings({
      ...FEDERATING,
      LOCAL_DOMAIN: 'rookery.example',
      LOG_LEVEL: 'fatal',
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
        // A reply after the kill would reach nothing.
        if (killed) return void res.destroy();
        far.unanswered.delete(id);
      }
      res.status(202).end();
    };
    peer.put('/users/fan/inbox', (req, res) => void take(req, res));
    return far;
  }
  const arrivals = (): number => all.reduce((sum, { arrived }) => sum + arrived.length, 0);

  it('delivers every activity at least once, and unanswered ones again when their lease has expired', async () => {
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
    const pending = all.map(({ unanswered }) => [...unanswered]);
    expect(pending.flat(), 'some were under way').not.to.deep.equal([]);
    const before = all.map(({ arrived }) => arrived.length);
    killed = false;

    rookery = await startRookery(settings);
    const late = (): string[] =>
      all.flatMap(({ arrived }, index) => [
        ...posts.filter((id) => !arrived.includes(id)),
        // The restarted server cannot know whether these were accepted.
        ...(pending[index] ?? []).filter((id) => !arrived.slice(before[index]).includes(id)),
      ]);
    // The timeout of the suite bounds this loop.
    while (late().length > 0) await sleep(50);
    // A repeat has the same id, so the receiving server can ignore it.
    for (const { arrived } of all) expect([...new Set(arrived)].sort()).to.deep.equal([...posts].sort());
    expect(arrivals() - SERVERS * POSTS, 'repeats').to.be.within(pending.flat().length, 2 * SERVERS * 4);
  });

  it('ends with an empty queue and with read models equal to rebuilt ones', async () => {
    await eventually(async () => {
      const { url } = rookery;
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(/^federation_deliveries_queued (\d+)$/m.exec(metrics)?.[1]).to.equal('0');
    });
    await rookery.end();
    expect(await differences(settings)).to.deep.equal([]);
  });
});
