import { expect } from 'chai';
import { parseResource } from '#interfaces/federation/discovery.ts';
import type { Instance } from '#kernel/context.ts';
import { refusalCode } from '../support/refusal.ts';

describe('The resource parameter of WebFinger', () => {
  const instance = {
    domain: 'xn--bcher-kva.example',
    origin: 'https://social.xn--bcher-kva.example',
  } as Instance;
  const parse = (resource: string) => parseResource(new URLSearchParams({ resource }), instance);

  it("names a local account in every spelling of this server's domain", () => {
    for (const domain of [
      'xn--bcher-kva.example',
      'XN--BCHER-KVA.example',
      'bücher.example',
      'BÜCHER.example',
      'bücher.example.',
      'social.bücher.example',
    ]) {
      expect(parse(`acct:alice@${domain}`), domain).deep.equal({ kind: 'account', username: 'alice' });
    }
  });

  it('names an account by the address of its page, whichever scheme a proxy made of it', () => {
    for (const scheme of ['https', 'http']) {
      for (const path of ['@alice', 'users/alice']) {
        const address = `${scheme}://social.xn--bcher-kva.example/${path}`;
        expect(parse(address), address).deep.equal({ kind: 'account', username: 'alice' });
      }
    }
    expect(refusalCode(() => parse('https://social.xn--bcher-kva.example:8443/@alice'))).equal('not_found');
  });

  it('names the server itself by its domain, with the port of a server that has one', () => {
    const local = { domain: 'localhost:3000', origin: 'http://localhost:3000' } as Instance;
    const resource = 'acct:localhost:3000@localhost:3000';
    expect(parseResource(new URLSearchParams({ resource }), local)).deep.equal({ kind: 'instance' });
    expect(parse('acct:xn--bcher-kva.example@xn--bcher-kva.example')).deep.equal({ kind: 'instance' });
    expect(refusalCode(() => parse('mailto:alice@other.example'))).equal('not_found');
  });

  it('names no account here under another domain', () => {
    for (const domain of ['bucher.example', 'bücher.example.org', 'xn--bcher-kva.example.evil.example']) {
      expect(
        refusalCode(() => parse(`acct:alice@${domain}`)),
        domain,
      ).equal('not_found');
    }
  });
});
