import { expect } from 'chai';
import { canonicalDomain, withParents } from '#mastodon/domain-name.ts';

describe('The canonical form of a domain', () => {
  // CVE-2023-42451: two spellings of one domain must not be two domains.
  const spellings: [string, string][] = [
    ['EXAMPLE.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['example。com', 'example.com'],
    ['example.com。', 'example.com'],
    [' example.com/ ', 'example.com'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['ex\u00adample.com', 'example.com'],
    ['ex\u200bample.com', 'example.com'],
    ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
    ['mu\u0308nchen.example', 'xn--mnchen-3ya.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['a_b.example', 'a_b.example'],
    ['nodomain', 'nodomain'],
  ];
  for (const [given, canonical] of spellings) {
    it(`is ${canonical} for ${JSON.stringify(given)}, and its own canonical form`, () => {
      expect(canonicalDomain(given)).to.equal(canonical);
      expect(canonicalDomain(canonical)).to.equal(canonical);
    });
  }

  it('is undefined for text that names no server', () => {
    for (const text of [
      '',
      '.',
      '..',
      'a..example',
      '.example',
      'example.com..',
      'a b.example',
      'a\0.example',
      'a%2eexample',
      'https://example.com',
      'example.com/about',
      'alice@example.com',
      'example.com:443',
      '[::1]',
      'a,b.example',
      '"a".example',
      '*.example',
      '-a.example',
      'a-.example',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(130)}example`,
      'x'.repeat(100_000),
    ]) {
      expect(canonicalDomain(text), JSON.stringify(text.slice(0, 40))).to.equal(undefined);
    }
  });

  it('has parent domains, longest first', () => {
    expect(withParents('a.b.example')).to.deep.equal(['a.b.example', 'b.example', 'example']);
    expect(withParents('example')).to.deep.equal(['example']);
  });
});
