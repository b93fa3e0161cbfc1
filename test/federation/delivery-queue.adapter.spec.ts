import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { forgetOldDeliveries } from '#interfaces/federation/delivery/forget.ts';
import { MAX_TRIES, type Outcome, outcomeOf, pauseAfter } from '#interfaces/federation/delivery/outcome.ts';
import { type ClaimedDelivery, DeliveryQueue } from '#interfaces/federation/delivery/queue.ts';
import type { Delivery } from '#interfaces/federation/delivery/sender.ts';
import { DeliveryWorker } from '#interfaces/federation/delivery/worker.ts';
import { outside } from '#kernel/places.ts';
import { WaitingRoom } from '#kernel/waiting-room.ts';
import { deliveriesByHost, deliveryState } from '#queries/federation/index.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { eventually } from '../support/eventually.ts';
import { startedDatabase } from '../support/started-database.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const DELIVERED: Outcome = { kind: 'delivered' };
const FAILED: Outcome = { kind: 'failed', reason: 'answers 503' };
const REFUSED: Outcome = { kind: 'refused', reason: 'answers 410' };

describe('The delivery queue', function () {
  this.timeout(60_000);
  let db: Database;
  let queue: DeliveryQueue;
  /** Read by the workers as their clock. */
  let now: number;
  let sent: string[];
  let answers: (delivery: Delivery) => Outcome | Promise<Outcome>;
  let errors: unknown[];
  const workers: DeliveryWorker[] = [];

  before(async function () {
    this.timeout(120_000);
    db = openDatabase({ url: await startedDatabase(), max: 6, applicationName: 'test' });
    queue = new DeliveryQueue(db);
  });
  after(() => db.close());
  beforeEach(async () => {
    await db.query(`truncate durable.federation_activities, durable.federation_deliveries, durable.federation_hosts,
      durable.federation_receipts`);
    now = Date.parse('2026-11-22T12:00:00Z');
    sent = [];
    errors = [];
    answers = () => DELIVERED;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect(errors).deep.equal([]);
  });

  const worker = (): DeliveryWorker => {
    const made = new DeliveryWorker({
      queue,
      room: new WaitingRoom(),
      send: async (delivery) => {
        sent.push(`${new URL(delivery.inbox).host} ${JSON.parse(delivery.document).id as string}`);
        return answers(delivery);
      },
      allowed: (hosts) => Promise.resolve(new Set(hosts.filter((host) => host !== 'blocked.example'))),
      onTried: () => undefined,
      onError: (error) => errors.push(error),
      now: () => now,
      random: () => 0,
    });
    workers.push(made);
    return made;
  };
  const add = (id: string, hosts: readonly string[], more: { subject?: string; statusId?: string } = {}) =>
    queue.add(
      {
        key: id,
        subject: more.subject ?? id,
        sender: '1',
        statusId: more.statusId ?? null,
        document: { actor: 'https://here.example/users/a', id },
      },
      hosts.map((host) => `https://${host}/inbox`),
      now,
    );
  const claimBoth = async (room = 32): Promise<ClaimedDelivery[]> => [
    ...(await queue.claim({ now, after: '', busy: [], room, which: 'fresh' })),
    ...(await queue.claim({ now, after: '', busy: [], room, which: 'rest' })),
  ];
  const news = (): string[] => sent.splice(0).sort();
  const waiting = async (): Promise<string[]> =>
    (
      await db.query<{ text: string }>(
        `select d.host || ' ' || a.key || ' ' || d.attempts as text from durable.federation_deliveries d
         join durable.federation_activities a on a.id = d.activity_id order by 1`,
      )
    ).map(({ text }) => text);

  it('sends each activity to each inbox once, however often it is added', async () => {
    await add('a', ['one.example', 'two.example', 'one.example']);
    await add('a', ['one.example', 'three.example']);
    await worker().drain();
    expect(news()).deep.equal(['one.example a', 'two.example a']);
    await add('a', ['one.example']);
    await worker().drain();
    expect(news()).deep.equal([]);
  });

  it('sends to at most 32 inboxes at a time and to at most 4 of one host', async () => {
    const hosts = Array.from({ length: 100 }, (_, n) => `h${n}.example`);
    let open = 0;
    let most = 0;
    const perHost = new Map<string, number>();
    let mostOfOne = 0;
    answers = async ({ inbox }) => {
      const { host } = new URL(inbox);
      const ofHost = (perHost.get(host) ?? 0) + 1;
      perHost.set(host, ofHost);
      most = Math.max(most, (open += 1));
      mostOfOne = Math.max(mostOfOne, ofHost);
      await turn();
      open -= 1;
      perHost.set(host, (perHost.get(host) ?? 1) - 1);
      return DELIVERED;
    };
    for (let n = 0; n < 10; n += 1) await add(`a${n}`, n === 0 ? hosts : ['h0.example']);
    await worker().drain();
    expect(news()).to.have.length(109);
    expect(most).greaterThan(4).and.at.most(32);
    expect(mostOfOne).at.most(4);
    expect(await waiting()).deep.equal([]);
  });

  it('keeps the order of activities about the same subject while the first waits for a retry', async () => {
    await add('follow', ['one.example'], { subject: 'pair' });
    await add('undo', ['one.example'], { subject: 'pair' });
    await add('other', ['one.example'], { subject: 'another' });
    answers = ({ document }) => (document.includes('follow') ? FAILED : DELIVERED);
    await worker().drain();
    expect(news()).deep.equal(['one.example follow', 'one.example other']);
    answers = () => DELIVERED;
    now += 20 * SECOND;
    await worker().drain();
    expect(sent).deep.equal(['one.example follow', 'one.example undo']);
  });

  it('hands out one activity per subject at a time, in order, when three processes claim concurrently', async () => {
    const lines = ['x', 'y', 'z'];
    for (let n = 0; n < 30; n += 1) {
      for (const subject of lines) await add(`${subject} ${n}`, ['one.example'], { subject });
    }
    const pending = new Set<string>();
    const order = new Map(lines.map((line): [string, number[]] => [line, []]));
    const process = async (): Promise<void> => {
      while (await queue.any()) {
        const claimed = await queue.claim({ now, after: '', busy: [], room: 32, which: 'fresh' });
        const ids = claimed.map(({ document }) => (JSON.parse(document) as { id: string }).id);
        for (const id of ids) {
          const [line = '', number = ''] = id.split(' ');
          expect(pending.has(line), `${id} beside another one of its line`).equal(false);
          pending.add(line);
          order.get(line)?.push(Number(number));
        }
        await turn();
        // Released before `record`, which lets other processes claim the next one.
        for (const id of ids) pending.delete(id.split(' ')[0] ?? '');
        await queue.record(
          claimed.map((each) => ({ claimed: each, outcome: DELIVERED })),
          { now, random: () => 0 },
        );
      }
    };
    await Promise.all([process(), process(), process()]);
    const all = Array.from({ length: 30 }, (_, n) => n);
    expect([...order.values()]).deep.equal([all, all, all]);
  });

  it('claims other activities of a host while the subjects with long lines wait', async () => {
    for (let n = 0; n < 50; n += 1) await add(`failed ${n}`, ['one.example'], { subject: 'failed' });
    for (let n = 0; n < 50; n += 1) await add(`sent ${n}`, ['one.example'], { subject: 'sent' });
    const namesOf = (claimed: readonly ClaimedDelivery[]): string[] =>
      claimed.map(({ document }) => (JSON.parse(document) as { id: string }).id).sort();
    const first = await claimBoth();
    expect(namesOf(first)).deep.equal(['failed 0', 'sent 0']);
    const failed = first.filter(({ document }) => document.includes('failed'));
    await queue.record(
      failed.map((claimed) => ({ claimed, outcome: FAILED })),
      { now, random: () => 0 },
    );
    await add('other', ['one.example']);
    await add('elsewhere', ['two.example'], { subject: 'failed' });
    expect(namesOf(await claimBoth())).deep.equal(['elsewhere', 'other']);
    expect(await claimBoth()).deep.equal([]);
    // The failed delivery is due for a retry, and the lease of the unfinished one has expired.
    now += 2 * 60 * SECOND;
    await db.query('update durable.federation_hosts set failures = 0');
    expect(namesOf(await claimBoth())).deep.equal(['elsewhere', 'failed 0', 'other', 'sent 0']);
  });

  it('claims at most four deliveries of one host at a time, oldest first', async () => {
    for (let n = 0; n < 9; n += 1) {
      await add(`a${n}`, ['one.example']);
      now += SECOND;
    }
    const claim = async (): Promise<string[]> =>
      (await queue.claim({ now, after: '', busy: [], room: 32, which: 'fresh' }))
        .map(({ document }) => (JSON.parse(document) as { id: string }).id)
        .sort();
    expect(await claim()).deep.equal(['a0', 'a1', 'a2', 'a3']);
    expect(await claim()).deep.equal(['a4', 'a5', 'a6', 'a7']);
    expect(await claim()).deep.equal(['a8']);
  });

  const claimedOf = async (which: 'fresh' | 'rest'): Promise<string[]> =>
    (await queue.claim({ now, after: '', busy: [], room: 32, which }))
      .map(({ host, document }) => `${host} ${(JSON.parse(document) as { id: string }).id}`)
      .sort();

  it('claims the first attempts to hosts in good standing apart from retries and from hosts that failed', async () => {
    await add('first', ['bad.example', 'good.example', 'slow.example']);
    const tried = await queue.claim({ now, after: '', busy: [], room: 32, which: 'fresh' });
    await queue.record(
      tried.map((claimed) => ({
        claimed,
        outcome: claimed.host === 'slow.example' ? DELIVERED : FAILED,
        ms: claimed.host === 'slow.example' ? 1_500 : 10,
      })),
      { now, random: () => 0 },
    );
    await db.query(`update durable.federation_hosts set failures = 0 where host = 'good.example'`);
    for (const id of ['a', 'b'])
      await add(id, ['bad.example', 'good.example', 'new.example', 'slow.example']);
    now += 20 * SECOND;
    expect(await claimedOf('fresh')).deep.equal(
      ['good', 'new'].flatMap((name) => [`${name}.example a`, `${name}.example b`]),
    );
    expect(await claimedOf('rest'), 'one at a time to a host that failed').deep.equal([
      'bad.example a',
      'good.example first',
      'slow.example a',
      'slow.example b',
    ]);
  });

  it('counts a slow host among the others as soon as it answers within a second', async () => {
    const attempt = async (ms: number): Promise<void> => {
      await add(`took ${ms}`, ['slow.example']);
      const tried = (await claimBoth(1)).map((each) => ({ claimed: each, outcome: DELIVERED, ms }));
      await queue.record(tried, { now, random: () => 0 });
    };
    await attempt(5_000);
    await add('a', ['slow.example']);
    expect(await claimedOf('fresh')).deep.equal([]);
    await attempt(100);
    await add('b', ['slow.example']);
    expect(await claimedOf('fresh')).to.include('slow.example b');
  });

  it('sends to every live host while as many hosts as find room never answer', async () => {
    const live = Array.from({ length: 40 }, (_, n) => `live${n}.example`);
    const hanging = Array.from({ length: 100 }, (_, n) => `hangs${n}.example`);
    const answer = Promise.withResolvers<Outcome>();
    let open = 0;
    answers = ({ inbox }) => {
      if (!inbox.includes('hangs')) return DELIVERED;
      open += 1;
      return outside(() => answer.promise);
    };
    await add('a', [...hanging, ...live]);
    const draining = worker().drain();
    await eventually(() => {
      expect(sent.filter((each) => each.startsWith('live'))).to.have.length(live.length);
      return Promise.resolve();
    });
    expect(open).equal(hanging.length);
    answer.resolve(FAILED);
    await draining;
  });

  it('retries after growing pauses and gives up after the last try, 5 to 8 days later', async () => {
    await add('a', ['sick.example']);
    answers = ({ inbox }) => (inbox.includes('sick') ? FAILED : DELIVERED);
    const begin = now;
    const at: number[] = [];
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await worker().drain();
      expect(sent.splice(0), `try ${tries + 1}`).to.have.length(1);
      at.push(now - begin);
      await worker().drain();
      expect(sent, 'not immediately').deep.equal([]);
      // Lifts the pause of the host, which would hide the pauses of the delivery.
      await db.query('update durable.federation_hosts set retry_at = null, failures = 1');
      now += pauseAfter(tries + 1, 0);
    }
    expect(at.slice(0, 3)).deep.equal([0, 18 * SECOND, 81 * SECOND]);
    expect(at.at(-1))
      .greaterThan(5 * DAY)
      .and.lessThan(8 * DAY);
    expect(await waiting()).deep.equal([]);
  });

  it('does not retry a refused delivery, and sends nothing to a blocked host', async () => {
    await add('a', ['gone.example', 'blocked.example'], { statusId: '7' });
    answers = () => REFUSED;
    await worker().drain();
    expect(news(), 'a blocked host receives nothing').deep.equal(['gone.example a']);
    expect(await waiting()).deep.equal([]);
    const receipts = await db.query('select from durable.federation_receipts');
    expect(receipts, 'no server has received it').deep.equal([]);
    const [gone] = (await deliveriesByHost(db)).filter(({ host }) => host === 'gone.example');
    expect(gone).deep.include({ queued: 0, refused: '1', failed: '0', last_failure: 'answers 410' });
    expect(gone?.down_since, 'a host that answers is up').equal(null);
  });

  describe('with a host that is down', () => {
    beforeEach(async () => {
      for (let n = 0; n < 10; n += 1) await add(`a${n}`, ['down.example']);
      await add('b', ['up.example']);
      answers = ({ inbox }) => (inbox.includes('down') ? FAILED : DELIVERED);
      await worker().drain();
      expect(news().filter((each) => each.startsWith('down')).length).at.most(4);
    });

    it('tries the host a few times a day instead of once for each delivery', async () => {
      const [down] = await deliveriesByHost(db);
      expect(down).deep.include({ host: 'down.example', queued: 10, delivered: '0' });
      expect(down?.down_since).not.equal(null);
      now += 20 * SECOND;
      await worker().drain();
      expect(news()).deep.equal([]);
      let tries = 0;
      for (let hours = 0; hours < 24; hours += 1) {
        now += HOUR;
        await worker().drain();
        tries += news().length;
      }
      expect(tries).greaterThan(3).and.lessThan(12);
      await add('c', ['up.example']);
      await worker().drain();
      expect(news(), 'other hosts are not affected').deep.equal(['up.example c']);
    });

    it('sends everything once the host answers again', async () => {
      answers = () => DELIVERED;
      now += 2 * 60 * SECOND;
      await worker().drain();
      expect(news()).to.have.length(10);
      expect(await waiting()).deep.equal([]);
      const [host] = (await deliveriesByHost(db)).filter((each) => each.host === 'down.example');
      expect(host).deep.include({ down_since: null, retry_at: null, delivered: '10' });
    });

    it('sends everything once the host sends an activity itself', async () => {
      answers = () => DELIVERED;
      expect(await queue.heardFrom('up.example', now)).equal(false);
      expect(await queue.heardFrom('down.example', now)).equal(true);
      await worker().drain();
      expect(news()).to.have.length(10);
    });
  });

  it('counts servers, those that are down, and what waits for each kind', async () => {
    now = Date.now();
    await add('a', ['down.example', 'up.example', 'gone.example']);
    answers = ({ inbox }) => (inbox.includes('up') ? DELIVERED : FAILED);
    await worker().drain();
    await db.query(`update durable.federation_hosts set failures = 3 where host <> 'up.example'`);
    await db.query(
      `update durable.federation_hosts set last_failure_at = now() - interval '8 days' where host = 'gone.example'`,
    );
    await add('b', ['down.example', 'up.example', 'new.example']);
    await db.query(
      `update durable.federation_deliveries set due_at = now() - interval '10 minutes' where attempts = 0`,
    );
    expect(await deliveryState(db)).deep.equal({
      servers: 2,
      down: 1,
      queued: 5,
      queued_for_down: 3,
      late: 2,
    });
  });

  it('waits as long as the host asks for in Retry-After', async () => {
    await add('a', ['busy.example']);
    answers = () => outcomeOf(429, { 'retry-after': '3600' });
    await worker().drain();
    now += 3_000 * SECOND;
    await worker().drain();
    expect(news()).to.have.length(1);
    now += 600 * SECOND;
    await worker().drain();
    expect(news()).to.have.length(1);
  });

  it('hands the deliveries of a killed process to another one, and those of a stopped one immediately', async () => {
    await add('a', ['one.example']);
    const taken = await queue.claim({ now, after: '', busy: [], room: 10, which: 'fresh' });
    expect(taken).to.have.length(1);
    await worker().drain();
    expect(news(), 'another process holds it').deep.equal([]);
    now += 61 * SECOND;
    await worker().drain();
    expect(news()).deep.equal(['one.example a']);

    await add('b', ['one.example']);
    const begun = Promise.withResolvers<undefined>();
    const stopping = new DeliveryWorker({
      queue,
      room: new WaitingRoom(),
      send: (_letter, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          begun.resolve(undefined);
        }),
      allowed: (hosts) => Promise.resolve(new Set(hosts)),
      onTried: () => undefined,
      onError: (error) => errors.push(error),
      now: () => now,
    });
    stopping.start();
    await begun.promise;
    await stopping.stop();
    await worker().drain();
    expect(news()).deep.equal(['one.example b']);
  });

  it('starts a worker that sends new activities when it is woken', async () => {
    const started = worker();
    started.start();
    for (const id of ['a', 'b', 'c']) {
      const arrived = Promise.withResolvers<undefined>();
      answers = () => {
        arrived.resolve(undefined);
        return DELIVERED;
      };
      await add(id, ['one.example']);
      started.wake();
      await arrived.promise;
    }
    expect(news()).deep.equal(['one.example a', 'one.example b', 'one.example c']);
  });

  it('sends nothing twice when two processes work on it', async () => {
    const hosts = Array.from({ length: 60 }, (_, n) => `h${n}.example`);
    await add('a', hosts);
    answers = async () => {
      await turn();
      return DELIVERED;
    };
    await Promise.all([worker().drain(), worker().drain()]);
    expect(news()).deep.equal(hosts.map((host) => `${host} a`).sort());
  });

  it('drops unsent deliveries of a deleted post, and keeps receipts of servers that may have it', async () => {
    await add('create', ['one.example', 'two.example'], { statusId: '7' });
    await add('elsewhere', ['one.example'], { statusId: '8' });
    const [taken] = await queue.claim({ now, after: '', busy: [], room: 1, which: 'fresh' });
    expect(taken?.host).equal('one.example');
    await queue.cancel('7');
    expect(await waiting()).deep.equal(['one.example create 1', 'one.example elsewhere 0']);
    now += 61 * SECOND;
    answers = ({ document }) => (document.includes('create') ? FAILED : DELIVERED);
    await worker().drain();
    const receipts = await db.query(
      `select status_id, inbox, delivered_at is not null as delivered from durable.federation_receipts order by 1`,
    );
    expect(receipts, 'a missing reply proves nothing').deep.equal([
      { status_id: '7', inbox: 'https://one.example/inbox', delivered: false },
      { status_id: '8', inbox: 'https://one.example/inbox', delivered: true },
    ]);
  });

  it('deletes activities and receipts that have expired', async () => {
    await add('old', ['one.example'], { statusId: '7' });
    await add('done', ['two.example'], { statusId: '8' });
    await add('fresh', ['three.example']);
    answers = ({ document }) => (document.includes('done') ? DELIVERED : FAILED);
    await worker().drain();
    await db.query(
      `update durable.federation_activities set created_at = now() - interval '9 days' where key = 'old'`,
    );
    await db.query(
      `update durable.federation_activities set created_at = now() - interval '25 hours' where key = 'done'`,
    );
    await db.query(
      `update durable.federation_receipts set sent_at = now() - interval '31 days' where status_id = 8`,
    );
    await db.query(
      `update durable.federation_receipts set sent_at = now() - interval '29 days' where status_id = 7`,
    );
    await forgetOldDeliveries(db, 30);
    const left = await db.query<{ key: string }>('select key from durable.federation_activities');
    expect(left.map(({ key }) => key)).deep.equal(['fresh']);
    const receipts = await db.query<{ status_id: string }>(
      'select status_id from durable.federation_receipts',
    );
    expect(receipts.map(({ status_id }) => status_id)).deep.equal(['7']);
  });
});
