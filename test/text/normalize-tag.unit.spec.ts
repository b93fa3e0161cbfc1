import { expect } from 'chai';
import { normalizeTag } from '#mastodon/normalize-tag.ts';

describe('normalizeTag', () => {
  const examples: Record<string, string> = {
    BLÅHAJ: 'blahaj',
    'BLA\u030AHAJ': 'blahaj',
    '#Tag': 'tag',
    '＃ｓｙｎｔｈＷＡＶＥ': 'synthwave',
    ﾊﾛｰ: 'ハロー',
    ｶﾞﾝﾀﾞﾑ: 'ガンダム',
    Łódź: 'lodz',
    İzmir: 'izmir',
    ПРИВЕТ: 'привет',
    ΑΘΗΝΑ: 'αθηνα',
    हिन्दी: 'हिन्दी',
    ภาษาไทย: 'ภาษาไทย',
    'l·lengua': 'l·lengua',
    'نرم\u200Cافزار': 'نرم\u200Cافزار',
    'a-b c!': 'abc',
    '❤️': '',
    '': '',
  };
  for (const [name, normal] of Object.entries(examples)) {
    it(`turns ${JSON.stringify(name)} into ${JSON.stringify(normal)}`, () => {
      expect(normalizeTag(name)).to.equal(normal);
      expect(normalizeTag(normal)).to.equal(normal);
    });
  }

  it('bounds the length, even if Unicode expands one character to many', () => {
    expect(normalizeTag('ﷺ'.repeat(100_000)).length).to.be.at.most(500);
    expect(normalizeTag('𝔘𐐀'.repeat(400)).isWellFormed()).to.equal(true);
  });
});
