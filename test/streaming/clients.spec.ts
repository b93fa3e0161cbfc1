import { expect } from 'chai';
import { Clients } from '../../src/streaming/clients.ts';

describe('How many streams may be open at once', () => {
  const fill = (clients: Clients, token: string, count: number): (() => void)[] =>
    Array.from({ length: count }, () => clients.reserve({ id: token, account_id: '1' }));

  it('is bounded for a token, and for all tokens of an account', () => {
    const clients = new Clients({
      authorize: () => Promise.reject(new Error('unused')),
      onError: () => undefined,
    });
    const [leave] = fill(clients, 'a', 25);
    expect(() => fill(clients, 'a', 1)).to.throw('Too many open streams');
    for (const token of ['b', 'c', 'd']) fill(clients, token, 25);
    expect(() => fill(clients, 'e', 1)).to.throw('Too many open streams');
    clients.reserve({ id: 'f', account_id: '2' });
    // Who leaves twice has left once.
    leave?.();
    leave?.();
    fill(clients, 'e', 1);
    expect(() => fill(clients, 'e', 1)).to.throw('Too many open streams');
  });
});
