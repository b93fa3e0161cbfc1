import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { KeyedMutex } from '#kernel/concurrency.ts';

describe('A keyed mutex', () => {
  it('serializes work of one key in order, and runs work of different keys in parallel', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const work = async (key: string, name: string, milliseconds: number): Promise<void> => {
      const done = await mutex.acquire(key);
      log.push(`${name} begins`);
      await sleep(milliseconds);
      log.push(`${name} ends`);
      done();
    };
    const all = [
      work('a', 'first', 20),
      work('a', 'second', 1),
      work('b', 'other', 1),
      work('a', 'third', 1),
    ];
    expect(mutex.has('a')).to.equal(true);
    await Promise.all(all);
    expect(log.filter((line) => !line.startsWith('other'))).to.deep.equal([
      ...['first begins', 'first ends', 'second begins', 'second ends', 'third begins', 'third ends'],
    ]);
    expect(log.indexOf('other ends')).to.be.lessThan(log.indexOf('first ends'));
    expect([mutex.has('a'), mutex.has('b')]).to.deep.equal([false, false]);
  });
});
