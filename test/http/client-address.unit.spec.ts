import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clientAddress } from '#interfaces/http/client-address.ts';

const TRUSTED = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '192.0.2.7', 'fd00::/8'];

/** A request with the members that the function reads. */
const request = (peer: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('The address of a client', () => {
  const addressOf = clientAddress(TRUSTED);

  const cases: [string, string | undefined, string | undefined, string][] = [
    ['is the peer', '203.0.113.5', undefined, '203.0.113.5'],
    ['is the peer, IPv4 even on an IPv6 socket', '::ffff:203.0.113.5', undefined, '203.0.113.5'],
    ['has no zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['is never taken from the header of an untrusted peer', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['is taken from the header of a trusted proxy', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'is taken from the header of a trusted proxy over IPv6',
      '::ffff:10.1.1.1',
      '2001:DB8:0:0::1',
      '2001:db8::1',
    ],
    [
      'is the right-most entry, because the client may have sent the others',
      '127.0.0.1',
      '8.8.8.8, 198.51.100.1',
      '198.51.100.1',
    ],
    [
      'is the entry before a chain of trusted proxies',
      '127.0.0.1',
      '198.51.100.1,192.0.2.7 , 10.2.3.4',
      '198.51.100.1',
    ],
    ['is the left-most entry when all are trusted', '127.0.0.1', '10.0.0.9, 10.2.3.4', '10.0.0.9'],
    ['may come with a port', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['may come with brackets and a port', 'fd00::1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['is not searched beyond an invalid entry', '127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
    [
      'is the last proxy before an invalid entry',
      '127.0.0.1',
      '198.51.100.1, <script>, 10.0.0.2',
      '10.0.0.2',
    ],
    ['is the peer for an empty header', '127.0.0.1', '', '127.0.0.1'],
    ['is the peer for a header of commas', '127.0.0.1', ',,,', '127.0.0.1'],
    ['is this machine for local clients behind a local proxy', '127.0.0.1', '127.0.0.1', '127.0.0.1'],
    ['is not this machine when another machine claims it', '127.0.0.1', '127.0.0.1, 10.0.0.2', '10.0.0.2'],
    ['is unspecified when the socket is closed', undefined, undefined, '0.0.0.0'],
  ];
  for (const [title, peer, forwarded, expected] of cases) {
    it(`${title}: ${String(peer)} with ${JSON.stringify(forwarded)}`, () => {
      expect(addressOf(request(peer, forwarded))).to.equal(expected);
    });
  }

  it('is searched in a limited number of hops', () => {
    const chain = ['198.51.100.1', ...Array.from({ length: 1_000 }, () => '10.0.0.1')].join(',');
    expect(addressOf(request('127.0.0.1', chain))).to.equal('10.0.0.1');
  });

  it('is the peer when no proxy is trusted', () => {
    expect(clientAddress([])(request('127.0.0.1', '198.51.100.1'))).to.equal('127.0.0.1');
  });
});
