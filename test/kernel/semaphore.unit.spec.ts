import { expect } from 'chai';
import { fairSemaphore } from '#kernel/concurrency.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { OnBehalf } from '#kernel/on-behalf.ts';

describe('A fair semaphore', () => {
  it('runs a few at a time, in order, and refuses when too many wait', async () => {
    const limit = fairSemaphore({ running: 2, waiting: 2 });
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const task = (n: number) =>
      limit(() => {
        started.push(n);
        return new Promise<void>((resolve) => finish.push(resolve));
      });
    const first = [task(1), task(2), task(3), task(4)];
    const refused = await task(5).catch((error: unknown) => error);
    expect(isRookeryError(refused) && refused.code).to.equal('unavailable');
    expect(started).to.deep.equal([1, 2]);
    finish[0]!();
    await first[0];
    await new Promise(setImmediate);
    expect(started).to.deep.equal([1, 2, 3]);
    finish[1]!();
    await first[1];
    await new Promise(setImmediate);
    finish.slice(2).forEach((end) => end());
    await Promise.all(first);
    expect(started).to.deep.equal([1, 2, 3, 4]);
  });

  it('passes the permit of a failed task to the next one', async () => {
    const limit = fairSemaphore({ running: 1, waiting: 5 });
    const failed = limit(() => Promise.reject(new Error('no'))).catch((error: Error) => error.message);
    expect(await Promise.all([failed, limit(() => Promise.resolve('next'))])).to.deep.equal(['no', 'next']);
  });

  /** Occupies the only place until `free` is called, and records the order in which the waiting tasks run. */
  function occupied(limits: { waiting: number; waitingPerOwner?: number }) {
    const limit = fairSemaphore({ running: 1, ...limits });
    const ran: string[] = [];
    const held = Promise.withResolvers<undefined>();
    const first = limit(() => held.promise);
    const task = (name: string, options: OnBehalf) =>
      limit(() => {
        ran.push(name);
        return Promise.resolve(name);
      }, options).catch((error: unknown) => (isRookeryError(error) ? error.code : (error as Error).message));
    const free = async (): Promise<void> => {
      held.resolve(undefined);
      await first;
    };
    return { ran, task, free };
  }

  it('lets owners take turns, and serves the tasks of one in order', async () => {
    const { ran, task, free } = occupied({ waiting: 10 });
    const all = [
      ...['a1', 'a2', 'a3'].map((name) => task(name, { owner: 'a' })),
      ...['b1', 'b2'].map((name) => task(name, { owner: 'b' })),
      task('c1', { owner: 'c' }),
    ];
    await free();
    await Promise.all(all);
    expect(ran).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('refuses an owner that has used up its permits, and no other owner', async () => {
    const { ran, task, free } = occupied({ waiting: 4, waitingPerOwner: 2 });
    const waiting = [task('a1', { owner: 'a' }), task('a2', { owner: 'a' })];
    expect(await task('a3', { owner: 'a' })).to.equal('unavailable');
    waiting.push(task('b1', { owner: 'b' }), task('b2', { owner: 'b' }));
    expect(await task('c1', { owner: 'c' })).to.equal('unavailable');
    const job = task('job', { owner: 'a', isJob: true });
    await free();
    await Promise.all([...waiting, job]);
    expect(ran).to.deep.equal(['a1', 'b1', 'a2', 'b2', 'job']);
  });

  it('drops a task whose signal aborts while it waits, and releases its permit', async () => {
    const { ran, task, free } = occupied({ waiting: 1 });
    const gone = new AbortController();
    const dropped = task('dropped', { owner: 'a', signal: gone.signal });
    expect(await task('refused', { owner: 'b' })).to.equal('unavailable');
    gone.abort(new Error('gone'));
    expect(await dropped).to.equal('gone');
    const next = task('next', { owner: 'b' });
    expect(await task('late', { owner: 'c', signal: gone.signal })).to.equal('gone');
    await free();
    expect(await next).to.equal('next');
    expect(ran).to.deep.equal(['next']);
  });

  it('finishes a task whose signal aborts while it runs', async () => {
    const gone = new AbortController();
    const limit = fairSemaphore({ running: 1, waiting: 0 });
    const done = limit(
      () => {
        gone.abort(new Error('gone'));
        return Promise.resolve('done');
      },
      { signal: gone.signal },
    );
    expect(await done).to.equal('done');
    expect(await limit(() => Promise.resolve('next'))).to.equal('next');
  });
});
