import { expect } from 'chai';
import { timer } from '../../src/kernel/reactor.ts';
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
  const alarm = timer({
    name: 'alarm',
    wakes: [Asked],
    reads: [],
    due: (_db, now, except) => {
      const waiting = due.filter(({ key }) => !except.includes(key)).sort((a, b) => a.at - b.at);
      const rows = waiting.filter(({ at }) => at <= Date.parse(now));
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
});
