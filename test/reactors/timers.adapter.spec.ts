import { expect } from 'chai';
import { timer } from '#kernel/reactor.ts';
import { listTimers } from '#storage/reactor-runtime/timer-store.ts';
import { answer, Asked, until, World } from './world.ts';

describe('Running timers', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  let due: { key: string; at: number }[] = [];
  const fired: string[] = [];
  let failing = 0;
  /** It found nothing due. */
  let idle = false;
  const alarm = timer({
    name: 'alarm',
    wakes: [Asked],
    reads: [],
    due: (_db, now, except) => {
      const waiting = due.filter(({ key }) => !except.includes(key)).sort((a, b) => a.at - b.at);
      const rows = waiting.filter(({ at }) => at <= Date.parse(now));
      idle = rows.length === 0;
      const next = waiting.find(({ at }) => at > Date.parse(now));
      return Promise.resolve({ rows, next: next && new Date(next.at).toISOString() });
    },
    fire: async (ctx, { key }) => {
      if (key === 'failing' && (failing += 1) < 3) throw new Error('later');
      await answer(ctx, key.length);
      due = due.filter((each) => each.key !== key);
      fired.push(key);
    },
  });
  beforeEach(() => {
    due = [];
    fired.length = 0;
    failing = 0;
  });

  /** Starts the timer, waits until nothing is left to do but for another try of what failed, and stops it. */
  const runUntilIdle = async () => {
    idle = false;
    const running = await world.start([], [alarm]);
    await until(() => idle);
    await running.stop();
  };
  const stored = () => listTimers(world.db);

  it('fires for rows that came due while no process ran', async () => {
    due = [{ key: 'past', at: Date.now() - 1_000 }];
    await world.start([], [alarm]);
    await until(() => fired.length === 1);
    expect((await world.stored(4))[0]?.metadata).to.include({ rule: 'alarm' });
  });

  it('is woken by an event and fires at the time, not before', async () => {
    await world.start([], [alarm]);
    const at = Date.now() + 150;
    due = [{ key: 'soon', at }];
    await world.ask(1);
    await until(() => fired.length === 1);
    expect(Date.now()).to.be.at.least(at);
  });

  it('ignores a failed row that is no longer due', async () => {
    let asked = 0;
    const gone = timer({
      name: 'gone',
      wakes: [Asked],
      reads: [],
      // It is due once: another process handles it before the second attempt.
      due: () => Promise.resolve({ rows: (asked += 1) === 1 ? [{ key: 'gone' }] : [], next: undefined }),
      fire: () => Promise.reject(new Error('later')),
    });
    await world.start([], [gone, alarm]);
    // A second attempt is due after a quarter of a second. Long after that the timer must have ended.
    due = [{ key: 'later', at: Date.now() + 1_000 }];
    await world.ask(1);
    await until(() => fired.length === 1);
    expect(asked).to.be.below(8);
  });

  it('retries a failed row, and fires for the others in the meantime', async () => {
    due = [
      { key: 'failing', at: Date.now() - 2 },
      { key: 'fine', at: Date.now() - 1 },
    ];
    await world.start([], [alarm]);
    await until(() => fired.length === 2);
    expect(fired).to.deep.equal(['fine', 'failing']);
  });

  it('stores when each timer runs next and what it did, also over a restart', async () => {
    due = [{ key: 'past', at: Date.now() - 1 }];
    await runUntilIdle();
    const [first] = await stored();
    expect(first).to.include({ name: 'alarm', fired: 1, failing: 0, error: null, state: 'running' });
    expect([first?.next_at, first?.failing_since]).to.deep.equal([null, null]);
    expect(Date.parse(first?.fired_at ?? '')).to.be.within(Date.now() - 60_000, Date.now());
    const next = Date.now() + 3_600_000;
    due = [
      { key: 'again', at: Date.now() - 1 },
      { key: 'later', at: next },
    ];
    await runUntilIdle();
    const [second] = await stored();
    expect(second).to.include({ fired: 2, next_at: new Date(next).toISOString() });
    await runUntilIdle();
    expect((await stored())[0]).to.include({ fired: 2, fired_at: second?.fired_at });
  });

  it('stores the error of a row that fails, until it succeeds', async () => {
    due = [{ key: 'failing', at: Date.now() - 1 }];
    await runUntilIdle();
    const [during] = await stored();
    expect(during).to.include({ state: 'failing', failing: 1, error: 'later', fired: 0 });
    expect([during?.next_at, during?.failing_since]).to.not.include(null);
    failing = 2;
    await runUntilIdle();
    const [after] = await stored();
    expect(after).to.include({ state: 'running', failing: 0, error: null, failing_since: null, fired: 1 });
  });

  it('stores at most 2,000 characters of the error of a timer that cannot look for what is due', async () => {
    let looked = false;
    const lookout = timer({
      name: 'lookout',
      wakes: [],
      reads: [],
      due: () => {
        looked = true;
        return Promise.reject(new Error(`no view${'!'.repeat(3_000)}`));
      },
      fire: () => Promise.resolve(),
    });
    const running = await world.start([], [lookout]);
    await until(() => looked);
    await running.stop();
    const [row] = await stored();
    expect([row?.state, row?.error?.length, row?.failing]).to.deep.equal(['failing', 2_000, 0]);
    expect(row?.next_at).to.be.a('string');
  });

  it('stores its state while it runs', async () => {
    const next = Date.now() + 3_600_000;
    due = [{ key: 'later', at: next }];
    await world.start([], [alarm]);
    await until(async () => (await stored()).length === 1);
    expect((await stored())[0]?.next_at).to.equal(new Date(next).toISOString());
  }).timeout(30_000);

  it('forgets timers that the program no longer has', async () => {
    await runUntilIdle();
    expect((await stored()).map(({ name }) => name)).to.deep.equal(['alarm']);
    await world.start([], []);
    await until(async () => (await stored()).length === 0);
  }).timeout(30_000);

  it('says that a timer is late, or that no process runs it', async () => {
    await runUntilIdle();
    await world.db.query(`update durable.timers set next_at = now() - interval '2 minutes'`);
    expect((await stored())[0]?.state).to.equal('late');
    await world.db.query(`update durable.timers set seen_at = now() - interval '3 minutes'`);
    expect((await stored())[0]?.state).to.equal('stopped');
  });

  it('fires although its state cannot be stored', async () => {
    await world.db.query('alter table durable.timers rename to elsewhere');
    due = [{ key: 'past', at: Date.now() - 1 }];
    await runUntilIdle();
    expect(fired).to.deep.equal(['past']);
  });
});
