import { expect } from 'chai';
import { preferredLanguage } from '#mastodon/language.ts';

describe('The preferred language of a browser', () => {
  for (const [header, language] of [
    ['de', 'de'],
    ['de-ch, en;q=0.8', 'de-CH'],
    ['en;q=0.8, fr;q=0.9 , *;q=0.1', 'fr'],
    ['en;q=0, fr;q=0.1', 'fr'],
    ['en;q=0.5, fr;q=0.5', 'en'],
    ['xx-nowhere, *, pt-BR;q=0.2', 'pt-BR'],
    ['EN ; Q=0.1, sv;q=0.2', 'sv'],
  ] as const) {
    it(`is ${language} for ${header}`, () => expect(preferredLanguage(header)).to.equal(language));
  }

  for (const header of [undefined, '', '*', ',;,', '\0', 'x'.repeat(20_000), `en-${'abcde-'.repeat(9)}x`]) {
    it(`is undefined for ${JSON.stringify(header)?.slice(0, 40)}`, () =>
      expect(preferredLanguage(header)).to.equal(null));
  }

  it('is found quickly in a very long list', () => {
    expect(preferredLanguage('zz,'.repeat(5_000))).to.equal(null);
  });
});
