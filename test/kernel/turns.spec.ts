import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../src/kernel/turns.ts';

describe('Turns', () => {
  it('come one after the other for a key, in the order of asking, and at once for different ones', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const work = async (key: string, name: string, milliseconds: number): Promise<void> => {
      const done = await turns.take(key);
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
    expect(turns.has('a')).to.equal(true);
    await Promise.all(all);
    expect(log.filter((line) => !line.startsWith('other'))).to.deep.equal([
      ...['first begins', 'first ends', 'second begins', 'second ends', 'third begins', 'third ends'],
    ]);
    expect(log.indexOf('other ends')).to.be.lessThan(log.indexOf('first ends'));
    expect([turns.has('a'), turns.has('b')]).to.deep.equal([false, false]);
  });
});
