import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { InboxJob } from '#interfaces/federation/inbox/inbox-job.ts';
import { type ClaimedInboxJob, InboxQueue } from '#interfaces/federation/inbox/queue.ts';
import { InboxScheduler, type SchedulerOptions } from '#interfaces/federation/inbox/scheduler.ts';
import { outside } from '#kernel/places.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { eventually } from '../support/eventually.ts';
import { startedDatabase } from '../support/started-database.ts';

const SECOND = 1_000;

describe('The inbox queue', function () {
  this.timeout(60_000);
  let db: Database;
  let queue: InboxQueue;
  let now: number;
  const schedulers: InboxScheduler[] = [];

  before(async function () {
    this.timeout(120_000);
    db = openDatabase({ url: await startedDatabase(), max: 6, applicationName: 'test' });
  });
  after(() => db.close());
  beforeEach(async () => {
    await db.query('truncate durable.inbox_activities');
    queue = new InboxQueue(db);
    now = Date.parse('2026-11-24T12:00:00Z');
  });
  afterEach(async () => {
    await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop()));
  });

  const job = (host: string, actor: string, command: string): InboxJob => {
    const collections = { followers: null, featured: null };
    return { kind: 'signed', text: '{}', actor: `https://${host}/${actor}`, command, ...collections };
  };
  const add = async (...jobs: string[]): Promise<void> => {
    for (const each of jobs) {
      const [host = '', actor = '', command = ''] = each.split(' ');
      expect(await queue.add(job(host, actor, each || command), now)).equal(true);
    }
  };
  const claim = (more: Partial<Parameters<InboxQueue['claim']>[0]> = {}): Promise<ClaimedInboxJob[]> =>
    queue.claim({ now, after: '', hosts: [], actors: [], room: 8, ...more });
  const names = (claimed: readonly ClaimedInboxJob[]): string[] => claimed.map(({ command }) => command);
  const schedule = (
    perform: SchedulerOptions['perform'],
    onError: (error: unknown) => void = () => undefined,
    longestRest = 0,
  ) => {
    const made = new InboxScheduler({ queue, perform, onError, now: () => now, longestRest });
    schedulers.push(made);
    made.start();
    return made;
  };

  it('hands out one activity of each host in turn, however many one host has sent', async () => {
    await add('a.example x 1', 'a.example y 2', 'a.example z 3', 'b.example x 4');
    expect(names(await claim())).deep.equal(['a.example x 1', 'b.example x 4']);
    expect(names(await claim({ after: 'a.example' }))).deep.equal([]);
    expect(names(await claim())).deep.equal(['a.example y 2']);
    expect(names(await claim({ hosts: ['a.example'] }))).deep.equal([]);
  });

  it('hands out the activities of one actor one at a time and in order, also to two processes', async () => {
    await add('a.example x 1', 'a.example x 2', 'a.example x 3');
    const [first, second] = await Promise.all([claim(), claim()]);
    expect(names([...first, ...second])).deep.equal(['a.example x 1']);
    expect(names(await claim())).deep.equal([]);
    await queue.remove([...first, ...second].map(({ id }) => id));
    expect(names(await claim())).deep.equal(['a.example x 2']);
  });

  it('hands out the next activity while a failed one waits, and drops the failed one after five tries', async () => {
    await add('a.example x 1', 'a.example x 2');
    for (const pause of [2, 4, 8, 16]) {
      const [failed] = await claim();
      expect(failed?.command).equal('a.example x 1');
      expect(failed && (await queue.retry(failed, now))).equal(true);
      if (pause === 2) {
        const next = await claim();
        expect(names(next)).deep.equal(['a.example x 2']);
        await queue.remove(next.map(({ id }) => id));
      }
      now += pause * SECOND;
    }
    const [last] = await claim();
    expect(last && (await queue.retry(last, now))).equal(false);
    expect(await queue.any()).equal(false);
  });

  it('hands out the activities of a killed process again when their lease has expired', async () => {
    await add('a.example x 1');
    const taken = await claim();
    now += 50 * SECOND;
    await queue.renew(
      taken.map(({ id }) => id),
      now,
    );
    now += 50 * SECOND;
    expect(names(await claim())).deep.equal([]);
    now += 11 * SECOND;
    expect(names(await claim())).deep.equal(['a.example x 1']);
  });

  it('keeps a repeated activity once', async () => {
    await add('a.example x 1', 'a.example x 1');
    expect(await db.query('select from durable.inbox_activities')).to.have.length(1);
  });

  it('is full at 5,000 activities of one host, and at 20,000 in all except for hosts with few', async () => {
    const fill = (host: string, count: number) =>
      db.query(
        `insert into durable.inbox_activities (key, host, actor, kind, body, command)
         select $1 || n, $1, $1, 'signed', '', '' from generate_series(1, $2::int) n`,
        [host, count],
      );
    await fill('a.example', 5_000);
    expect(await queue.add(job('a.example', 'x', 'one'), now)).equal(false);
    expect(await queue.add(job('b.example', 'x', 'two'), now)).equal(true);
    await fill('c.example', 4_999);
    await fill('d.example', 4_999);
    await fill('e.example', 4_999);
    await fill('f.example', 100);
    now += 6 * SECOND;
    expect(await queue.add(job('f.example', 'x', 'three'), now)).equal(false);
    expect(await queue.add(job('g.example', 'x', 'four'), now)).equal(true);
  });

  it('lets a slow server hold up only its own activities', async () => {
    const begun: string[] = [];
    const done: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = Array.from({ length: 8 }, (_, n) => [`slow${n}.example`, `slow${n}.example`]).flat();
    await add(...slow.map((host, n) => `${host} actor${n} ${n}`));
    const scheduler = schedule(async ({ actor }) => {
      const { host } = new URL(actor);
      begun.push(host);
      if (host.startsWith('slow')) await held;
      done.push(host);
    });
    await eventually(() => expect(begun.length).equal(8));
    await add('quick.example x 1');
    scheduler.wake();
    await sleep(50);
    expect(done).deep.equal([]);
    // All running activities count as slow now: they free their places, and their hosts get no other one.
    now += 3 * SECOND;
    scheduler.wake();
    await eventually(() => expect(done).deep.equal(['quick.example']));
    expect(new Set(begun).size).equal(begun.length);
    release();
    await eventually(async () => expect(await queue.any()).equal(false));
    expect(done).to.have.length(17);
  });

  it('processes the activities of other servers while many wait for a server that does not answer', async () => {
    const HOSTS = 40;
    const answer = Promise.withResolvers<undefined>();
    const begun: string[] = [];
    await add(...Array.from({ length: HOSTS }, (_, n) => `waits${n}.example actor${n} ${n}`));
    const scheduler = schedule(async ({ actor }) => {
      const { host } = new URL(actor);
      begun.push(host);
      if (host.startsWith('waits')) await outside(() => answer.promise);
    });
    await eventually(() => expect(begun).to.have.length(HOSTS));
    await add('quick.example x 1');
    scheduler.wake();
    await eventually(() => expect(begun.at(-1)).equal('quick.example'));
    answer.resolve(undefined);
    await eventually(async () => expect(await queue.any()).equal(false));
  });

  it('lets an actor pause as long as its activity took, so that other hosts come first', async () => {
    await add('a.example x 1', 'a.example x 2');
    const performed: string[] = [];
    const first = Promise.withResolvers<undefined>();
    const perform = async ({ command }: InboxJob): Promise<void> => {
      performed.push(command);
      if (performed.length === 1) await first.promise;
    };
    schedule(perform, undefined, 2 * SECOND);
    await eventually(() => expect(performed).to.have.length(1));
    now += 2 * SECOND;
    first.resolve(undefined);
    await add('b.example y 3');
    await eventually(() => expect(performed).to.have.length(3));
    expect(performed).deep.equal(['a.example x 1', 'b.example y 3', 'a.example x 2']);
  });

  it('releases a running activity when it stops, without counting the attempt', async () => {
    await add('a.example x 1');
    let begun = (): void => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const scheduler = schedule(async (_job, { signal }) => {
      begun();
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    });
    await beginning;
    await scheduler.stop();
    const [again] = await claim();
    expect(again).include({ command: 'a.example x 1', attempts: 1 });
  });

  it('reports a failed activity and tries it again', async () => {
    await add('a.example x 1');
    const errors: unknown[] = [];
    let tries = 0;
    const scheduler = schedule(
      () => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error('broken')) : Promise.resolve();
      },
      (error) => void errors.push(error),
    );
    await eventually(() => expect(errors).to.have.length(1));
    now += 3 * SECOND;
    scheduler.wake();
    await eventually(async () => expect(await queue.any()).equal(false));
    expect(tries).equal(2);
  });
});
