import { expect } from 'chai';
import { countCharacters } from '#commands/text/count.ts';

const count = (text: string, spoilerText?: string) =>
  countCharacters(spoilerText === undefined ? { text } : { text, spoilerText });

describe('The length of a status', () => {
  it('counts grapheme clusters', () => {
    expect(count('')).to.equal(0);
    expect(count('hello')).to.equal(5);
    expect(count('👨‍👩‍👧‍👦🇩🇪é\u0301')).to.equal(3);
    expect(count('नमस्ते 한글 ไทย')).to.be.lessThan([...'नमस्ते 한글 ไทย'].length);
    expect(count('a\r\nb\n\nc')).to.equal(6);
  });

  it('counts 23 for every link, short or long', () => {
    expect(count('https://a.org')).to.equal(23);
    expect(count(`https://a.org/${'x'.repeat(1000)}`)).to.equal(23);
    expect(count('é https://a.org/é?x#y, http://b.org')).to.equal(2 + 23 + 2 + 23);
    expect(count('a.org ftp://a.org')).to.equal(17);
  });

  it('counts only the local part of a remote mention', () => {
    expect(count('@alice@very.long.example.org')).to.equal(6);
    expect(count('@alice hi')).to.equal(9);
    expect(count('alice@example.org')).to.equal(17);
  });

  it('includes the content warning', () => {
    expect(count('abc', 'def')).to.equal(6);
    expect(count('abc', 'https://example.org')).to.equal(22);
  });

  it('counts a link that is too long for one in full', () => {
    expect(count(`https://a.org/${'x'.repeat(5000)}`)).to.equal(5014);
  });
});
