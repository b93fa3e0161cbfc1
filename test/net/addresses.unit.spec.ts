import { expect } from 'chai';
import { addressPermits } from '#adapters/outbound-http/addresses.ts';

describe('The addresses of outbound requests', () => {
  const permits = addressPermits([]);

  const forbidden: Record<string, string[]> = {
    'this host and its network': ['0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.254', '::', '::1'],
    'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1'],
    'link-local, where clouds keep their metadata': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
    'shared by carriers': ['100.64.0.1', '100.127.255.255'],
    'protocol assignments': ['192.0.0.8', '192.0.0.170', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
    documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
    'multicast, broadcast and reserved': [
      '224.0.0.1',
      '239.1.1.1',
      '240.0.0.1',
      '255.255.255.255',
      'ff02::1',
    ],
    'IPv4 in IPv6': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1'],
    'translation and tunnels': [
      '64:ff9b::7f00:1',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
      '2002:7f00:1::1',
      '2001::1',
      '192.88.99.1',
    ],
    'other special ranges': ['100::1', '2001:20::1', '2001:10::1', '2620:4f:8000::1', '5f00::1'],
    'what is no address': ['', 'example.org', '8.8.8.8:80', '8.8.8.8/32'],
  };
  for (const [kind, addresses] of Object.entries(forbidden)) {
    it(`exclude ${kind}`, () => {
      expect(addresses.filter(permits)).to.deep.equal([]);
    });
  }

  it('include ordinary hosts', () => {
    const hosts = ['8.8.8.8', '100.63.255.255', '172.32.0.1', '192.0.1.1', '223.255.255.255'];
    const hosts6 = ['2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2400::1'];
    expect([...hosts, ...hosts6].filter((address) => !permits(address))).to.deep.equal([]);
  });

  it('include what the operator allows, in any spelling', () => {
    const allowing = addressPermits(['10.1.0.0/16', '127.0.0.1', 'fd00::/8']);
    const reached = ['10.1.2.3', '127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', 'fd00::1'];
    expect(reached.filter((address) => !allowing(address))).to.deep.equal([]);
    expect(['10.2.0.1', '127.0.0.2', 'fc00::1'].filter(allowing)).to.deep.equal([]);
  });
});
