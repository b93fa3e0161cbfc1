import { expect } from 'chai';
import { wordDiff } from '#interfaces/web/client/compose/word-diff.ts';

const marked = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `[+${text}+]`))
    .join('');

describe('The difference of two texts by words', () => {
  it('marks words that are gone and words that are new', () => {
    expect(marked('a b c', 'a x c')).to.equal('a [-b-][+x+] c');
    expect(marked('one two three four', 'one three four five')).to.equal('one [-two -]three four[+ five+]');
    expect(marked('', 'new')).to.equal('[+new+]');
    expect(marked('old', '')).to.equal('[-old-]');
    expect(marked('same\n\ntext', 'same\n\ntext')).to.equal('same\n\ntext');
    expect(marked('', '')).to.equal('');
  });

  it('keeps both texts whole, whatever they are', () => {
    const words = ['rook', 'crow', ' ', '\n', 'jackdaw'];
    for (let seed = 0; seed < 200; seed += 1) {
      const textOf = (factor: number): string =>
        Array.from({ length: (seed * factor) % 23 }, (_, i) => words[(i * factor + seed) % 5]).join(' ');
      const [before, after] = [textOf(7), textOf(11)];
      const pieces = wordDiff(before, after);
      const without = (kind: string): string =>
        pieces
          .filter((each) => each.kind !== kind)
          .map(({ text }) => text)
          .join('');
      expect(without('new')).to.equal(before);
      expect(without('gone')).to.equal(after);
    }
  });

  it('replaces texts as a whole when they are too long to compare', () => {
    const long = (word: string): string =>
      Array(400)
        .fill(word)
        .map((each, i) => `${each}${i}`)
        .join(' ');
    expect(wordDiff(long('a'), long('b')).map(({ kind }) => kind)).to.deep.equal(['gone', 'new']);
  });
});
