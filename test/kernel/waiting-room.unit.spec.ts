import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type Stay, WaitingRoom } from '#kernel/waiting-room.ts';
import { eventually } from '../support/eventually.ts';

describe('The waiting room', () => {
  const forEver = new AbortController().signal;
  const SLOW_AFTER = 20;
  const room = (limits = {}) =>
    new WaitingRoom({ inAll: 4, slow: 2, kept: 1, perHost: 2, slowAfter: SLOW_AFTER, bytes: 100, ...limits });
  const slowStay = async (made: WaitingRoom, host: string): Promise<Stay> => {
    const before = made.slow;
    const stay = await made.enter(host, forEver);
    await eventually(() => {
      expect(made.slow).equal(before + 1);
      return Promise.resolve();
    });
    return stay;
  };
  const answer = (stay: Stay): void => {
    stay.took(0);
    stay.leave();
  };
  /** Records whether a request has found room. */
  const entering = (made: WaitingRoom, host: string) => {
    const state = { stay: undefined as Stay | undefined };
    void made.enter(host, forEver).then((stay) => (state.stay = stay));
    return state;
  };

  it('admits a bounded number of requests, in all and to one host', async () => {
    const made = room({ slowAfter: 60_000 });
    const one = await made.enter('a', forEver);
    await made.enter('a', forEver);
    const third = entering(made, 'a');
    await made.enter('b', forEver);
    await turn();
    expect(third.stay, 'a third one to the same host').equal(undefined);
    await made.enter('c', forEver);
    const fifth = entering(made, 'd');
    await turn();
    expect(fifth.stay, 'a fifth one').equal(undefined);
    expect(made.free).equal(0);
    answer(one);
    await turn();
    expect([third.stay !== undefined, fifth.stay !== undefined].filter(Boolean)).to.have.length(1);
    expect(made.size).equal(4);
  });

  it('ends the slow request that has waited longest when others need its room', async () => {
    const made = room();
    const slow = await Promise.all(['a', 'b', 'c', 'd'].map((host) => made.enter(host, forEver)));
    const next = entering(made, 'e');
    await eventually(() => {
      expect(next.stay).not.equal(undefined);
      return Promise.resolve();
    });
    expect(slow.map(({ signal }) => signal.aborted)).deep.equal([true, false, false, false]);
    expect(made.size).equal(4);
  });

  it('keeps some slow requests, whatever else wants to enter', async () => {
    const made = room({ inAll: 2, slow: 1, kept: 1 });
    const slow = await slowStay(made, 'a');
    await made.enter('b', forEver);
    const next = entering(made, 'c');
    await turn();
    expect(next.stay).equal(undefined);
    expect(slow.signal.aborted).equal(false);
  });

  it('ends a request without any reply before one whose reply arrives slowly', async () => {
    const made = room({ inAll: 2, slow: 2, kept: 0 });
    const arriving = await slowStay(made, 'a');
    arriving.took(1);
    const silent = await slowStay(made, 'b');
    await made.enter('c', forEver);
    expect([arriving.signal.aborted, silent.signal.aborted]).deep.equal([false, true]);
  });

  it('admits few requests to hosts that were slow, until these answer at once', async () => {
    const made = room({ inAll: 10, slow: 1, kept: 1 });
    (await slowStay(made, 'a')).leave();
    (await slowStay(made, 'b')).leave();
    const first = await made.enter('a', forEver);
    const second = entering(made, 'b');
    await turn();
    expect(second.stay, 'both were slow').equal(undefined);
    await made.enter('c', forEver);
    answer(first);
    await turn();
    expect(second.stay).not.equal(undefined);
    await made.enter('a', forEver);
    expect(made.size, 'a answered at once').equal(3);
  });

  it('rejects a request that finds no room in time', async () => {
    const made = room({ inAll: 1, slowAfter: 60_000 });
    const stay = await made.enter('a', forEver);
    const late = new AbortController();
    const refused = made.enter('b', late.signal).catch((error: Error) => error.message);
    late.abort(new Error('late'));
    expect(await refused).equal('late');
    answer(stay);
    await made.enter('c', forEver);
    expect(made.size).equal(1);
  });

  it('ends the slow request with the largest reply when replies take too much memory', async () => {
    const made = room({ inAll: 10, slow: 5, kept: 5 });
    const [small, large] = [await slowStay(made, 'a'), await slowStay(made, 'b')];
    small.took(20);
    large.took(60);
    const quick = await made.enter('c', forEver);
    quick.took(30);
    expect([small, large, quick].map(({ signal }) => signal.aborted)).deep.equal([false, true, false]);
    quick.took(60);
    expect([small, quick].map(({ signal }) => signal.aborted)).deep.equal([true, false]);
    quick.took(60);
    expect(quick.signal.aborted).equal(true);
    expect(made.size).equal(0);
  });

  it('counts each end once', async () => {
    const made = room();
    const stay = await made.enter('a', forEver);
    stay.leave();
    stay.leave();
    stay.crowdOut();
    stay.took(5);
    expect([made.size, made.sizeOf('a'), made.free]).deep.equal([0, 0, 4]);
  });
});
