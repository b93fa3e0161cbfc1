import { expect } from 'chai';
import { extractHashtags } from '#commands/text/extract.ts';
import { isId } from '#kernel/ids.ts';
import { parseTagName, tagId } from '#mastodon/tag-name.ts';

describe('The name of a hashtag', () => {
  it('is valid exactly if a post can contain it', () => {
    const names = [
      'Blåhaj',
      'a_b',
      '2026',
      '2026年',
      'two words',
      'a-b',
      'a·b',
      '·a',
      '_',
      '_a',
      'é',
      'कि',
      '',
      '❤️',
    ];
    for (const name of names) {
      const inPost = extractHashtags(`#${name}`);
      const alone = parseTagName(name);
      expect(alone?.name, name).to.equal(inPost[0] === name ? name : undefined);
    }
  });

  it('may have a number sign and surrounding spaces', () => {
    expect(parseTagName(' #Blåhaj ')).to.deep.equal({ name: 'Blåhaj', normal: 'blahaj' });
    expect(parseTagName('##a')).to.equal(undefined);
  });

  it('has an id that depends on its normal form', () => {
    expect(tagId('blahaj')).to.equal(tagId('blahaj')).and.not.to.equal(tagId('blahai'));
    for (const name of ['a', 'b', 'c', 'd', 'e']) expect(isId(tagId(name)), name).to.equal(true);
  });
});
