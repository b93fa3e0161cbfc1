import { expect } from 'chai';
import { registrableDomain, siteOf } from '#commands/text/registrable-domain.ts';

describe('The registrable domain of a host', () => {
  it('is the part that an owner registers, by the Public Suffix List', () => {
    expect(registrableDomain('a.b.example.co.uk')).equal('example.co.uk');
    expect(registrableDomain('example.org')).equal('example.org');
    expect(registrableDomain('rook.github.io')).equal('github.io');
    expect(registrableDomain('rook.github.io', { ofUsers: true })).equal('rook.github.io');
    expect(registrableDomain('localhost')).equal('localhost');
  });

  it('is the site of all its hosts and ports, while each port of an IP address is a site', () => {
    expect(siteOf('a.example.org:8443')).equal('example.org');
    expect(siteOf('127.0.0.1:3000')).equal('127.0.0.1:3000');
    expect(siteOf('[::1]:3000')).equal('[::1]:3000');
    expect(siteOf('localhost:3000')).equal('localhost:3000');
  });
});
