import { expect } from 'chai';
import { ownPath } from '#interfaces/web/page/own-path.ts';

describe('The path to return to after signing in', () => {
  for (const path of [
    '/settings',
    '/settings/applications?max_id=12',
    '/oauth/authorize?client_id=1&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&state=x%20y',
  ]) {
    it(`may be ${path}`, () => expect(ownPath(path)).to.equal(path));
  }

  for (const elsewhere of [
    ...['https://evil.example', 'evil.example', '', 'javascript:alert(1)', '@evil.example'],
    ...['//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', '/settings//evil'],
    ...[
      '/%2fevil.example',
      '/%2F%2Fevil.example',
      '/%5cevil.example',
      '/%5C',
      '/%252fevil.example',
      '/%255c',
    ],
    ...['/..//evil.example', '/.//evil.example', '/%2e%2e//evil.example', '/%2e%2e%2fevil.example'],
    ...[
      '/\t/evil.example',
      '/\n/evil.example',
      '/%09/evil.example',
      '/%0d%0aSet-Cookie: a=b',
      ' //evil.example',
    ],
    ...['/settings?x=\\', `/${'x'.repeat(20_000)}`, '/sättings'],
  ]) {
    it(`is never ${JSON.stringify(elsewhere).slice(0, 60)} (GHSA-xqw8-4j56-5hj6)`, () =>
      expect(ownPath(elsewhere)).to.equal(undefined));
  }

  it('is undefined when none is given', () => {
    expect(ownPath(undefined)).to.equal(undefined);
    expect(ownPath(null)).to.equal(undefined);
  });
});
