import { expect } from 'chai';
import { Lanes, Pace } from '../../src/federation/inbox/lanes.ts';

describe('lanes', () => {
  const gate = () => {
    let open = (): void => undefined;
    const passed = new Promise<void>((resolve) => (open = resolve));
    return { open, passed };
  };

  it('keep the order of one lane, and let others pass', async () => {
    const lanes = new Lanes();
    const done: string[] = [];
    const first = gate();
    const work =
      (name: string, before: Promise<unknown> = Promise.resolve()) =>
      async () => {
        await before;
        done.push(name);
      };
    const one = lanes.run('a', work('a1', first.passed));
    const two = lanes.run('a', work('a2'));
    await lanes.run('b', work('b1'));
    expect(done).deep.equal(['b1']);
    first.open();
    await Promise.all([one, two]);
    expect(done).deep.equal(['b1', 'a1', 'a2']);
  });

  it('go on after a failure, which is that of who caused it', async () => {
    const lanes = new Lanes();
    const failing = lanes.run('a', () => Promise.reject(new Error('no')));
    const next = lanes.run('a', () => Promise.resolve('yes'));
    expect(await failing.catch((error: Error) => error.message)).equal('no');
    expect(await next).equal('yes');
    expect(await lanes.run('a', () => Promise.resolve('again'))).equal('again');
  });

  it('tell who is slow as long as it is', async () => {
    const pace = new Pace();
    const held = gate();
    const { now } = performance;
    try {
      const watched = pace.watch('slow.example', () => held.passed);
      expect(pace.isSlow('slow.example')).equal(false);
      const later = now.call(performance) + 2_001;
      performance.now = () => later;
      expect(pace.isSlow('slow.example')).equal(true);
      expect(pace.isSlow('other.example')).equal(false);
      held.open();
      await watched;
      expect(pace.isSlow('slow.example')).equal(false);
    } finally {
      performance.now = now;
    }
  });
});
