import { expect } from 'chai';
import { EMOJIS, emojisIn } from '#mastodon/ready-json.ts';
import { shortcodesIn } from '#mastodon/shortcodes.ts';

describe('Shortcodes in texts', () => {
  const cases: [string, string[]][] = [
    ['hello :blobcat: there', ['blobcat']],
    [':one: :two:\n:three:', ['one', 'two', 'three']],
    ['(:one:),:two:!', ['one', 'two']],
    [':one: and again :one:', ['one']],
    ['at 12:30:45 sharp', []],
    ['word:one: :two:word é:three: :four:é', []],
    [':one::two:', []],
    ['::one::', []],
    [':a:', []],
    [':with space: :dash-ed: :ümlaut:', []],
    [':CamelCase: :_under_: :42:', ['CamelCase', '_under_', '42']],
    [`:${'x'.repeat(100)}: :${'y'.repeat(101)}:`, ['x'.repeat(100)]],
    ['😀:one:😀', ['one']],
    ['https://example.org/:path:/', ['path']],
    ['', []],
  ];
  for (const [text, shortcodes] of cases) {
    it(`finds ${shortcodes.join(', ').slice(0, 40) || 'none'} in ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(shortcodesIn([text])).to.deep.equal(shortcodes);
    });
  }

  it('lists the shortcodes of several texts once each, in order of appearance', () => {
    expect(shortcodesIn([':bb: :aa:', 'none', ':cc: :aa:'])).to.deep.equal(['bb', 'aa', 'cc']);
  });

  it('finds at most 200 shortcodes, in time linear to the length of the text', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `:name${index}:`).join(' ');
    expect(shortcodesIn([many])).to.have.length(200);
    expect(shortcodesIn([':'.repeat(500_000), ':aa'.repeat(200_000)])).to.deep.equal([]);
  });

  it('returns null when the texts have no shortcode', () => {
    expect(emojisIn(['plain', 'at 12:30'])).to.equal(null);
    expect(emojisIn([':aa:', ':bb:'])).to.equal(`["${EMOJIS}aa,bb"]`);
  });
});
