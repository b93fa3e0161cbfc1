import { expect } from 'chai';
import { parseResource } from '../../src/interfaces/federation/discovery.ts';
import type { Instance } from '../../src/kernel/context.ts';
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

  it('names no account here under another domain', () => {
    for (const domain of ['bucher.example', 'bücher.example.org', 'xn--bcher-kva.example.evil.example']) {
      expect(
        refusalCode(() => parse(`acct:alice@${domain}`)),
        domain,
      ).equal('not_found');
    }
  });
});
