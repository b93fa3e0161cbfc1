import { expect } from 'chai';
import { emojiOf } from '#mastodon/emoji.ts';

describe('Reading an emoji', () => {
  it('accepts every emoji that Unicode recommends, in one form', () => {
    for (const emoji of ['🎉', '❤️', '👍🏽', '👩‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇩🇪', '1️⃣', '🏳️‍🌈', '👁️‍🗨️']) {
      expect(emojiOf(emoji), emoji).to.equal(emoji);
      expect(emojiOf(emoji.replaceAll('\uFE0F', '')), `${emoji} without selectors`).to.equal(emoji);
    }
  });

  it('accepts no other text', () => {
    for (const text of [
      '',
      'a',
      '1',
      '#',
      '🎉🎉',
      '🎉a',
      ' 🎉',
      '\uFE0F',
      '🇩',
      'blobcat',
      '🎉'.repeat(1_000),
    ]) {
      expect(emojiOf(text), text.slice(0, 20)).to.equal(undefined);
    }
  });
});
