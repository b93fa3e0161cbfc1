import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import { type Reactor, reactor, type Timer } from '#kernel/reactor.ts';
import { askRetry, listDeadLetters } from '#storage/reactor-runtime/store.ts';
import { eventually, PATIENCE } from '../support/eventually.ts';
import { answer, Asked, World } from './world.ts';

const fail = (): never => {
  throw new Error('odd');
};

describe('Reactors, given an event that one of them cannot take', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const isOdd = ({ data }: RecordedEvent): boolean => (data as { n: number }).n === 2;
  const sound = reactor({
    name: 'sound',
    on: [Asked],
    react: async (ctx, { data }) => {
      await answer(ctx, data.n);
    },
  });
  /** Reactors that reject the second question, each in its own way. */
  const odd: Record<string, Partial<Reactor>> = {
    'its choice': {
      ignores: (event) => isOdd(event) && fail(),
      react: async (_, event) => {
        if (isOdd(event)) fail();
      },
    },
    'its owner': { owner: (event) => (isOdd(event) ? fail() : '') },
    'its reaction': { react: (_, event) => (isOdd(event) ? fail() : Promise.resolve()) },
  };

  for (const [what, members] of Object.entries(odd)) {
    it(`set it aside for that one alone when ${what} throws`, async () => {
      const silly = reactor({ name: 'silly', on: [Asked], react: async () => undefined });
      const running = await world.start([sound, { ...silly, ...members, attempts: 1 }]);
      let last = 0n;
      for (const n of [1, 2, 3]) last = await world.ask(n);
      expect(await running.reached(last, PATIENCE)).to.equal(true);
      expect(world.deadLettered).to.deep.equal(['silly question-2']);
      for (const n of [1, 2, 3]) expect(await world.stored(n)).to.have.length(1);
    });
  }

  it('go on when a timer cannot judge it, and the timer looks', async () => {
    let looks = 0;
    const timer: Timer = {
      name: 'curious',
      wakes: fail,
      reads: [],
      due: async () => {
        looks += 1;
        return { rows: [], next: undefined };
      },
      fire: async () => undefined,
    };
    const running = await world.start([sound], [timer]);
    const before = looks;
    expect(await running.reached(await world.ask(1), PATIENCE)).to.equal(true);
    await eventually(() => expect(looks).to.be.above(before));
  });

  /** Appends an event past the codec. */
  const append = (type: string, data: string, stream: string): Promise<unknown> =>
    world.db.query(
      `insert into eventlog.events
       select coalesce(max(position), 0) + 1, $3, 0, gen_random_uuid(), $1, $2::text, '{}' from eventlog.events`,
      [type, data, stream],
    );

  it('pass an event of an unknown type, and set a damaged one aside until it can be decoded', async () => {
    const running = await world.start([sound].map((each) => ({ ...each, attempts: 1 })));
    await append('Odd', '{}', 'odd-1');
    await append('Asked', '{"n":', 'odd-2');
    await append('Asked', '{"n":', 'odd-3');
    const last = await world.ask(1);
    expect(await running.reached(last, PATIENCE)).to.equal(true);
    expect(world.deadLettered).to.have.members(['sound odd-2', 'sound odd-3']);
    expect((await world.stored(1)).length).to.equal(1);
    await world.db.query(`update eventlog.events set data = '{"n":7}' where stream = 'odd-3'`);
    await askRetry(world.db, {});
    await eventually(async () =>
      expect((await listDeadLetters(world.db)).map(({ stream }) => stream)).to.deep.equal(['odd-2']),
    );
    expect((await world.stored(7)).length).to.equal(1);
  });
});
