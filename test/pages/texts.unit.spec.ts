import { expect } from 'chai';
import { html } from '#interfaces/web/design/html.ts';
import { farPage, webAddress } from '#interfaces/web/entities/addresses.ts';
import { counted, textWithEmojis, withEmojis } from '#interfaces/web/entities/texts.ts';

const cat = {
  shortcode: 'cat',
  url: 'https://a.example/cat.gif',
  static_url: 'https://a.example/cat.png',
  visible_in_picker: true,
};

describe('The texts of pages', () => {
  it('are escaped, unless they are HTML', () => {
    expect(
      html`<p title="${'"<\'&'}">${html`<b>${'<'}</b>`}${[null, undefined, false, 0, 'x']}</p>`.text,
    ).to.equal('<p title="&#34;&#60;&#39;&#38;"><b>&#60;</b>0x</p>');
  });

  it('contain pictures in place of emojis, and are otherwise unchanged', () => {
    const picture = '<img class="emoji" src="https://a.example/cat.png" alt=":cat:" title=":cat:" />';
    const cases = {
      ':cat:': picture,
      'a :cat: and :dog:': `a ${picture} and :dog:`,
      'x:cat: :cat:y ::cat:': 'x:cat: :cat:y ::cat:',
      '<a href="https://x.example/:cat:" title=":cat:">:cat:</a>': `<a href="https://x.example/:cat:" title=":cat:">${picture}</a>`,
      '&lt;:cat:&gt;': `&lt;${picture}&gt;`,
    };
    for (const [text, expected] of Object.entries(cases))
      expect(withEmojis(text, [cat]).text).to.equal(expected);
    expect(textWithEmojis('<:cat:>', [cat]).text).to.equal(`&lt;${picture}&gt;`);
    expect(withEmojis(':cat:', []).text).to.equal(':cat:');
    const evil = { ...cat, static_url: 'https://a.example/"><script>' };
    expect(withEmojis(':cat:', [evil]).text).not.to.contain('<script>');
  });

  it('count in words', () => {
    expect([counted(0, 'post'), counted(1, 'post'), counted(12_345, 'reply', 'replies')]).to.deep.equal([
      ...['0 posts', '1 post', '12,345 replies'],
    ]);
  });
});

describe('Addresses on pages', () => {
  it('use the schemes of the web', () => {
    for (const bad of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:x',
      'data:text/html,x',
      'ftp://x.example',
      '//x.example',
      '/x',
      '',
      null,
      undefined,
    ]) {
      expect(webAddress(bad), String(bad)).to.equal(undefined);
    }
    expect(webAddress('https://x.example/ü')).to.equal('https://x.example/%C3%BC');
  });

  it('lead to another server only at the origin of the id', () => {
    const uri = 'https://far.example/users/bob';
    for (const url of ['https://far.example/@bob', null])
      expect(farPage({ url, uri })).to.match(/^https:\/\/far\.example\//);
    for (const url of [
      'https://far.example.evil.example/',
      'https://far.example:8443/',
      'http://far.example/',
      'https://far.example\\@evil.example',
      'https://evil.example/https://far.example',
      'https://x@far.example/',
      'nonsense',
    ]) {
      const page = farPage({ url, uri });
      expect(page === undefined || page.startsWith('https://far.example/'), url).to.equal(true);
    }
    expect(farPage({ url: 'https://evil.example/', uri })).to.equal(undefined);
    expect(farPage({ url: null, uri: 'javascript:alert(1)' })).to.equal(undefined);
  });
});
