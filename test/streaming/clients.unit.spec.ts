import { expect } from 'chai';
import { Clients } from '#interfaces/streaming/clients.ts';

describe('The number of open streams', () => {
  const IP = '203.0.113.7';
  const some = (): Clients =>
    new Clients({ authorize: () => Promise.reject(new Error('unused')), onError: () => undefined });
  const fill = (clients: Clients, token: string, count: number): (() => void)[] =>
    Array.from({ length: count }, () => clients.reserve({ id: token, account_id: '1' }, IP));

  it('is limited for a token, and for all tokens of an account', () => {
    const clients = some();
    const [leave] = fill(clients, 'a', 25);
    expect(() => fill(clients, 'a', 1)).to.throw('Too many open streams');
    for (const token of ['b', 'c', 'd']) fill(clients, token, 25);
    expect(() => fill(clients, 'e', 1)).to.throw('Too many open streams');
    clients.reserve({ id: 'f', account_id: '2' }, IP);
    // A second leave changes nothing.
    leave?.();
    leave?.();
    fill(clients, 'e', 1);
    expect(() => fill(clients, 'e', 1)).to.throw('Too many open streams');
  });

  it('is limited for all accounts of a network, but not for this machine', () => {
    const clients = some();
    const open = (account: number, ip: string) =>
      clients.reserve({ id: String(account), account_id: String(account) }, ip);
    for (let account = 0; account < 1_000; account += 1) open(account, `2001:db8:0:1::${account}`);
    expect(() => open(1_000, '2001:db8:0:1:ffff::1')).to.throw('Too many open streams');
    open(1_000, '2001:db8:0:2::1');
    for (let account = 2_000; account < 3_100; account += 1) open(account, '127.0.0.1');
  });

  it('is limited for the channels of an account and of an address', () => {
    const clients = some();
    const listen = (accountId: string, ip = IP, count = 1) =>
      Array.from({ length: count }, () => clients.reserveChannel({ accountId, ip }));
    const [leave] = listen('1', IP, 250);
    expect(() => listen('1', '203.0.113.8')).to.throw('Too many channels');
    leave?.();
    listen('1');
    for (let account = 2; account <= 10; account += 1) listen(String(account), IP, 250);
    expect(() => listen('11')).to.throw('Too many channels');
    listen('11', '203.0.113.8');
  });
});
