import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { outside, Places } from '#kernel/places.ts';

describe('Places of work', () => {
  /** Tasks that ask another server, and the replies that end their waits. */
  function desk(limits: { running: number; outside: number; perOwner?: number }) {
    const places = new Places({ waiting: 100, ...limits });
    const events: string[] = [];
    const replies = new Map<string, () => void>();
    let working = 0;
    let most = 0;
    const worked = async <T>(work: () => Promise<T>): Promise<T> => {
      most = Math.max(most, (working += 1));
      try {
        return await work();
      } finally {
        working -= 1;
      }
    };
    const task = (name: string, owner = '') =>
      places.run(
        async () => {
          await worked(() => turn());
          events.push(`${name} asks`);
          await outside(() => new Promise<void>((resolve) => replies.set(name, resolve)));
          await worked(() => turn());
          events.push(`${name} ends`);
        },
        { owner },
      );
    const settle = async (): Promise<void> => {
      for (let n = 0; n < 20; n += 1) await turn();
    };
    return { places, events, task, settle, reply: (name: string) => replies.get(name)?.(), most: () => most };
  }

  it('are free while their tasks wait for other servers', async () => {
    const { events, task, settle, reply, places, most } = desk({ running: 1, outside: 10 });
    const all = ['a', 'b', 'c'].map((name) => task(name));
    await settle();
    expect(events).deep.equal(['a asks', 'b asks', 'c asks']);
    expect(places.free).equal(1);
    reply('b');
    await settle();
    expect(events.at(-1)).equal('b ends');
    for (const name of ['a', 'c']) reply(name);
    await Promise.all(all);
    expect(most(), 'tasks that worked at a time').equal(1);
    expect(places.free).equal(1);
  });

  it('keep their task when too many wait for other servers', async () => {
    const { events, task, settle, reply } = desk({ running: 1, outside: 1 });
    const all = ['a', 'b', 'c'].map((name) => task(name));
    await settle();
    expect(events).deep.equal(['a asks', 'b asks']);
    reply('b');
    await settle();
    expect(events).deep.equal(['a asks', 'b asks', 'b ends', 'c asks']);
    for (const name of ['a', 'c']) reply(name);
    await Promise.all(all);
  });

  it('admit tasks that return before new ones', async () => {
    const { places } = desk({ running: 1, outside: 5 });
    const order: string[] = [];
    const answer = Promise.withResolvers<undefined>();
    const hold = Promise.withResolvers<undefined>();
    const first = places.run(async () => {
      await outside(() => answer.promise);
      order.push('returned');
    });
    const second = places.run(() => hold.promise);
    const third = places.run(() => {
      order.push('new');
      return Promise.resolve();
    });
    answer.resolve(undefined);
    await turn();
    expect(order).deep.equal([]);
    hold.resolve(undefined);
    await Promise.all([first, second, third]);
    expect(order).deep.equal(['returned', 'new']);
  });

  it('are never filled by the tasks of one owner beyond its bound', async () => {
    const { events, task, settle, reply } = desk({ running: 4, outside: 10, perOwner: 2 });
    const all = [
      ...['a1', 'a2', 'a3'].map((name) => task(name, 'a')),
      ...['b1', 'b2'].map((name) => task(name, 'b')),
    ];
    await settle();
    expect(events).deep.equal(['a1 asks', 'a2 asks', 'b1 asks', 'b2 asks']);
    reply('a1');
    await settle();
    expect(events.slice(4)).deep.equal(['a1 ends', 'a3 asks']);
    for (const name of ['a2', 'a3', 'b1', 'b2']) reply(name);
    await Promise.all(all);
  });

  it('are counted right when a task ends before its waits', async () => {
    const places = new Places({ running: 1, waiting: 5, outside: 5 });
    const late = Promise.withResolvers<undefined>();
    const waits: Promise<void>[] = [];
    await places.run(async () => {
      waits.push(outside(() => late.promise));
      await turn();
    });
    expect(places.free).equal(1);
    const hold = Promise.withResolvers<undefined>();
    const returning = Promise.withResolvers<undefined>();
    const abandoned = places.run(async () => {
      waits.push(outside(() => returning.promise));
      await hold.promise;
    });
    const busy = Promise.withResolvers<undefined>();
    const other = places.run(() => busy.promise);
    expect(places.free).equal(0);
    returning.resolve(undefined);
    await turn();
    hold.resolve(undefined);
    await abandoned;
    expect(places.free).equal(0);
    late.resolve(undefined);
    busy.resolve(undefined);
    await Promise.all([other, ...waits]);
    await turn();
    expect(places.free).equal(1);
  });

  it('are left and taken again in a narrower semaphore together with a wider one', async () => {
    const wide = new Places({ running: 1, waiting: 5, outside: 5 });
    const narrow = new Places({ running: 1, waiting: 5, outside: 5 });
    const replies = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const ended: number[] = [];
    const all = replies.map(({ promise }, index) =>
      wide.run(() =>
        narrow.run(async () => {
          await outside(() => promise);
          await turn();
          ended.push(index);
        }),
      ),
    );
    await turn();
    expect([wide.free, narrow.free]).deep.equal([1, 1]);
    for (const { resolve } of replies) resolve(undefined);
    await Promise.all(all);
    expect(ended).deep.equal([0, 1]);
    expect([wide.free, narrow.free]).deep.equal([1, 1]);
  });
});
