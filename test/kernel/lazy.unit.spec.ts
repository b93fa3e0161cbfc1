import { expect } from 'chai';
import { lazy } from '#kernel/lazy.ts';

describe('A lazy object', () => {
  const counter = () => {
    const calls: string[] = [];
    const open = async () => {
      calls.push('open');
      return { add: async (a: number, b: number) => a + b, close: () => calls.push('close') };
    };
    return { calls, object: lazy(open, ['add']) };
  };

  it('opens the real object once, with the first call', async () => {
    const { calls, object } = counter();
    expect(calls).to.deep.equal([]);
    expect(await Promise.all([object.add(1, 2), object.add(3, 4)])).to.deep.equal([3, 7]);
    await object.close();
    expect(calls).to.deep.equal(['open', 'close']);
  });

  it('opens nothing in order to close it', async () => {
    const { calls, object } = counter();
    await object.close();
    expect(calls).to.deep.equal([]);
  });

  it('closes a real object that has no close', async () => {
    const object = lazy(async () => ({ get: async () => 1 }), ['get']);
    expect(await object.get()).to.equal(1);
    await object.close();
  });
});
