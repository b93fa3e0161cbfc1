import { expect } from 'chai';
import { languagePair } from '#commands/translation/languages.ts';
import { textsOf, type Translatable, withTexts } from '#commands/translation/texts.ts';

const attachment = (id: string, description: string | null): Translatable['media_attachments'][number] => ({
  id,
  type: 'image',
  url: 'https://rookery.example/media/a.png',
  preview_url: 'https://rookery.example/media/a-small.png',
  remote_url: null,
  preview_remote_url: null,
  text_url: null,
  meta: {},
  description,
  blurhash: null,
});
const status: Translatable = {
  content: '<p>Hola</p>',
  spoiler_text: '1 < 2',
  poll: null,
  media_attachments: [attachment('7', null), attachment('8', 'Un gato & "yo"')],
};

describe('The texts of a status for translation', () => {
  it('are all HTML; texts without words are left out', () => {
    expect(textsOf(status)).to.deep.equal(['<p>Hola</p>', 'Un gato &amp; &quot;yo&quot;']);
    expect(textsOf({ ...status, content: '<p>&amp; 42 👍</p>', media_attachments: [] })).to.deep.equal([]);
  });

  it('are put back in their places, plain ones as text, without anything harmful', () => {
    const translated = ['<p onclick="x">Hello</p>', 'A &lt;cat&gt; &amp; <b>me</b><script>x</script>'];
    expect(withTexts(status, translated)).to.deep.equal({
      content: '<p>Hello</p>',
      spoiler_text: '1 < 2',
      poll: null,
      media_attachments: [{ id: '8', description: 'A <cat> & me' }],
    });
  });
});

describe('The languages of a translation', () => {
  const pairs = new Map([
    ['en', ['de', 'pt-BR', 'zh']],
    ['zh-TW', ['en-GB', 'en-US']],
    ['und', ['de']],
  ]);
  const cases: [string | null, string, ReturnType<typeof languagePair>][] = [
    ['en', 'de', { source: 'en', target: 'de' }],
    ['en-AU', 'de-AT', { source: 'en', target: 'de' }],
    ['en', 'pt', { source: 'en', target: 'pt-BR' }],
    ['en', 'pt-PT', undefined],
    ['en', 'zh-TW', { source: 'en', target: 'zh' }],
    ['zh-TW', 'en', { source: 'zh-TW', target: 'en-GB' }],
    [null, 'de', { source: null, target: 'de' }],
    [null, 'en', undefined],
    ['fr', 'de', undefined],
  ];
  for (const [source, target, expected] of cases) {
    it(`are ${expected ? `${expected.source} into ${expected.target}` : 'none'} for ${source ?? 'unknown'} into ${target}`, () => {
      expect(languagePair(pairs, source, target)).to.deep.equal(expected);
    });
  }
});
