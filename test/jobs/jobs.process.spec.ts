import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createJobs, type JobService } from '#adapters/jobs/jobs.ts';
import type { JobTimings } from '#adapters/jobs/queue.ts';
import { outside } from '#kernel/places.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';
import { patience } from '../support/deadlines.ts';
import { eventually } from '../support/eventually.ts';

/** Milliseconds without a heartbeat after which a job's process counts as dead. */
const DEAD = patience(2_000);

/** Faster than in earnest, so that the specs need not wait for long. */
const timings: JobTimings = {
  poll: 200,
  heartbeat: 300,
  expireSeconds: Math.ceil(DEAD / 1_000),
  retrySeconds: 1,
  maintenance: 300,
  roomPause: 50,
};

describe('The job queue', function () {
  this.timeout(60_000);
  let url: string;
  let db: Database;
  const opened: JobService[] = [];

  beforeEach(async () => {
    url = await freshDatabase();
    db = openDatabase({ url, max: 2, applicationName: 'rookery job specs' });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
    await db.close();
  });

  /** Acts as another process: it shares only the database. */
  const service = (): JobService => {
    const jobs = createJobs({ db, url, timings, onError: () => undefined });
    opened.push(jobs);
    return jobs;
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await sleep(20);
  };

  it('runs a job in the process that enqueued it, with its data', async () => {
    const done: unknown[] = [];
    const jobs = service();
    jobs.work('greet', async (data) => void done.push(data));
    await jobs.start();
    await jobs.enqueue('greet', { name: 'Ada' });
    await jobs.enqueue('greet', { name: 'Grace' });
    await until(() => done.length === 2);
    expect(done).to.deep.equal([{ name: 'Ada' }, { name: 'Grace' }]);
  });

  it('runs other jobs while some wait for another server, and works at as many as it may', async () => {
    const answer = Promise.withResolvers<undefined>();
    const started: unknown[] = [];
    const ended: unknown[] = [];
    let working = 0;
    let most = 0;
    const jobs = service();
    const work = async (): Promise<void> => {
      most = Math.max(most, (working += 1));
      await sleep(5);
      working -= 1;
    };
    jobs.work(
      'ask',
      async ({ n }) => {
        started.push(n);
        await work();
        if (n !== 5) await outside(() => answer.promise);
        await work();
        ended.push(n);
      },
      { running: 1, outside: 5 },
    );
    await jobs.start();
    for (let n = 1; n <= 5; n += 1) await jobs.enqueue('ask', { n });
    await until(() => ended.length === 1);
    expect(ended).to.deep.equal([5]);
    expect(started).to.deep.equal([1, 2, 3, 4, 5]);
    answer.resolve(undefined);
    await until(() => ended.length === 5);
    expect(most).to.equal(1);
  });

  it('keeps a job waiting while the disk is full, without counting a try', async () => {
    let tries = 0;
    const jobs = service();
    jobs.work('write', async () => {
      tries += 1;
      const full = Object.assign(new Error('No space left on device'), { code: 'ENOSPC' });
      if (tries < 20) throw new Error('Not written', { cause: full });
    });
    await jobs.start();
    await jobs.enqueue('write', {});
    await until(() => tries === 20);
    await eventually(async () => expect(await db.query('select id from jobs.job')).to.deep.equal([]));
  });

  it('opens no connection before the first job', async () => {
    const jobs = service();
    jobs.work('greet', async () => undefined);
    await jobs.start();
    const [row] = await db.query<{ job: string | null }>(`select to_regclass('jobs.job')::text as job`);
    expect(row?.job).to.equal(null);
  });

  it('creates many new kinds of jobs at once, in several processes', async () => {
    const kinds = Array.from({ length: 8 }, (_, index) => `kind-${index}`);
    const done = new Set<string>();
    const [one, other] = [service(), service()];
    for (const jobs of [one, other]) {
      for (const kind of kinds) jobs.work(kind, async () => void done.add(kind));
      await jobs.start();
    }
    await Promise.all(kinds.flatMap((kind) => [one, other].map((jobs) => jobs.enqueue(kind, {}))));
    await until(() => done.size === kinds.length);
  });

  it('keeps one job per key until a process runs it', async () => {
    const enqueuing = service();
    for (const key of ['a', 'a', 'b']) await enqueuing.enqueue('later', { key }, { singletonKey: key });
    await enqueuing.close();
    const done: unknown[] = [];
    const working = service();
    working.work('later', async ({ key }) => void done.push(key));
    await working.start();
    await until(() => done.length === 2);
    await sleep(500);
    expect(done).to.deep.equal(['a', 'b']);
  });

  it('delays a job, counts it while it waits, and deletes it afterwards', async () => {
    const enqueuing = service();
    const earliest = Date.now() + 1_000;
    await enqueuing.enqueue('later', { n: 1 }, { after: 1 });
    await enqueuing.enqueue('later', { n: 2 });
    expect(await enqueuing.waiting('later')).to.equal(2);
    await enqueuing.close();
    const done = new Map<unknown, number>();
    const working = service();
    working.work('later', async ({ n }) => void done.set(n, Date.now()));
    await working.start();
    await until(() => done.size === 2);
    expect([...done.keys()]).to.have.members([1, 2]);
    // On a slow machine that time passes before a worker is free, and the first job runs first.
    expect(done.get(1)).to.be.at.least(earliest);
    expect(await working.waiting('later')).to.equal(0);
    await eventually(async () => {
      const [row] = await db.query<{ kept: number }>('select count(*)::int as kept from jobs.job');
      expect(row?.kept).to.equal(0);
    });
  });

  it('does not delay the jobs of other owners', async () => {
    const done: unknown[] = [];
    const [jobs, elsewhere] = [service(), service()];
    jobs.work('render', async ({ file }) => void done.push(file));
    for (const file of ['a1', 'a2', 'a3']) await elsewhere.enqueue('render', { file }, { owner: 'a' });
    for (const file of ['b1', 'b2']) await elsewhere.enqueue('render', { file }, { owner: 'b' });
    await elsewhere.enqueue('render', { file: 'c1' }, { owner: 'c' });
    await jobs.start();
    await until(() => done.length === 6);
    expect(done).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('retries a failed job', async () => {
    const tries: boolean[] = [];
    const jobs = service();
    jobs.work('fail', async (_data, { last }) => {
      tries.push(last);
      if (tries.length === 1) throw new Error('not yet');
    });
    await jobs.start();
    await jobs.enqueue('fail', {});
    await until(() => tries.length === 2);
    expect(tries).to.deep.equal([false, false]);
    await sleep(500);
    expect(tries, 'done is done').to.have.length(2);
  });

  it('leaves a job alone that runs longer than the timeout of a dead process', async () => {
    let begun = 0;
    let ended = 0;
    const jobs = [service(), service()];
    for (const each of jobs) {
      each.work('long', async () => {
        begun += 1;
        await sleep(DEAD + 1_500);
        ended += 1;
      });
      await each.start();
    }
    await jobs[0]?.enqueue('long', {});
    await until(() => ended > 0);
    await sleep(1_000);
    expect([begun, ended]).to.deep.equal([1, 1]);
  });

  it('keeps jobs when their process is killed with SIGKILL', async () => {
    const holder = spawn(
      process.execPath,
      [new URL('hold-job.ts', import.meta.url).pathname, url, JSON.stringify(timings)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [said] = (await once(holder.stdout, 'data')) as [Buffer];
    expect(String(said)).to.equal('began {"what":"it"}\n');
    holder.kill('SIGKILL');
    await once(holder, 'exit');

    const done: unknown[] = [];
    const jobs = service();
    jobs.work('hold', async (data) => void done.push(data));
    await jobs.start();
    await until(() => done.length > 0);
    expect(done).to.deep.equal([{ what: 'it' }]);
  });

  it('counts no try for a process that ends, however often', async () => {
    const tries: boolean[] = [];
    for (let end = 1; end <= 6; end += 1) {
      const jobs = service();
      jobs.work('long', async (_data, { signal, last }) => {
        tries.push(last);
        await once(signal, 'abort');
        throw signal.reason;
      });
      await jobs.start();
      if (end === 1) await jobs.enqueue('long', {});
      await until(() => tries.length === end);
      await jobs.close();
    }
    expect(tries).to.deep.equal(tries.map(() => false));
  });

  it('runs the jobs of a stopped process in the next one', async () => {
    const first = service();
    let aborted = false;
    let begun = false;
    first.work('long', async (_data, { signal }) => {
      begun = true;
      await once(signal, 'abort');
      aborted = true;
      throw signal.reason;
    });
    await first.start();
    await first.enqueue('long', {});
    await until(() => begun);
    await first.close();
    expect(aborted).to.equal(true);
    let done = 0;
    const second = service();
    second.work('long', async () => void (done += 1));
    await second.start();
    await until(() => done === 1);
  });
});
