import { expect } from 'chai';
import type { MentionTarget } from '#commands/text/format.ts';
import { formatStatus } from '#commands/text/format.ts';
import { formatField, formatNote } from '#commands/text/format-note.ts';

const origin = 'https://rookery.example';
const alice: MentionTarget = { acct: 'alice', username: 'alice', url: `${origin}/@alice` };
const bob: MentionTarget = { acct: 'bob@x.org', username: 'Bob', url: 'https://x.org/@bob?a=1&b="' };
const mentions = new Map([
  ['alice', alice],
  ['bob@x.org', bob],
]);
const format = (text: string) => formatStatus(text, { origin, mentions });
const link = (prefix: string, shown: string, hidden = '', rel = 'nofollow noopener') =>
  `<a href="${prefix}${shown}${hidden}" target="_blank" rel="${rel}" translate="no">` +
  `<span class="invisible">${prefix}</span><span class="${hidden ? 'ellipsis' : ''}">${shown}</span>` +
  `<span class="invisible">${hidden}</span></a>`;

describe('The HTML of a status', () => {
  it('has a paragraph for each block and a break for each line', () => {
    expect(format('one\ntwo\r\n\r\n\r\nthree\rfour')).to.equal('<p>one<br />two</p><p>three<br />four</p>');
    expect(format(' \n\n hi \n\n')).to.equal('<p>hi</p>');
    expect(format('')).to.equal('');
    expect(format(' \n ')).to.equal('');
  });

  it('escapes all text of its author', () => {
    expect(format(`<script>alert("1")</script> & 'x' &amp;`)).to.equal(
      '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; &amp;amp;</p>',
    );
  });

  it('links mentions that were resolved, whatever their case, and leaves others as text', () => {
    expect(format('@ALICE @nobody @nobody@x.org')).to.equal(
      '<p><span class="h-card" translate="no"><a href="https://rookery.example/@alice" class="u-url mention">' +
        '@<span>alice</span></a></span> @nobody @nobody@x.org</p>',
    );
    expect(format('@bob@X.org')).to.equal(
      '<p><span class="h-card" translate="no"><a href="https://x.org/@bob?a=1&amp;b=%22" class="u-url mention">' +
        '@<span>Bob</span></a></span></p>',
    );
  });

  it('distinguishes two mentioned accounts of one name by their domains', () => {
    const both = new Map([
      ['alice', alice],
      ['alice@x.org', { acct: 'alice@x.org', username: 'Alice', url: 'https://x.org/@alice' }],
    ]);
    const html = formatStatus('@alice @alice@x.org', { origin, mentions: both });
    expect(html).to.contain('@<span>alice</span>').and.to.contain('@<span>alice@x.org</span>');
  });

  it('leaves a mention as text before an at sign, an accent or a scheme', () => {
    for (const text of ['@alice@', '@alice@.', '@alicé', '@alice://']) {
      expect(format(text)).to.equal(`<p>${text}</p>`);
    }
  });

  it('does not link a mentioned account whose page is not a web page', () => {
    const evil = new Map([['eve', { acct: 'eve', username: 'eve', url: 'javascript:alert(1)' }]]);
    expect(formatStatus('@eve', { origin, mentions: evil })).to.equal('<p>@eve</p>');
  });

  it('links hashtags as written', () => {
    expect(format('#BLÅHAJ #日本')).to.equal(
      '<p><a href="https://rookery.example/tags/BL%C3%85HAJ" class="mention hashtag" rel="tag">#<span>BLÅHAJ</span></a> ' +
        '<a href="https://rookery.example/tags/%E6%97%A5%E6%9C%AC" class="mention hashtag" rel="tag">#<span>日本</span></a></p>',
    );
  });

  it('shows 30 characters of a link and hides scheme, www and the rest', () => {
    expect(format('https://example.org')).to.equal(`<p>${link('https://', 'example.org')}</p>`);
    const rest = 'example.org/0123456789012345678901234567890';
    expect(format(`http://www.${rest}`)).to.equal(
      `<p>${link('http://www.', rest.slice(0, 30), rest.slice(30))}</p>`,
    );
  });

  it('shows 31 characters if that is all, and a scheme in capitals', () => {
    const rest = 'example.org/0123456789012345678';
    expect(format(`https://${rest}`)).to.equal(`<p>${link('https://', rest)}</p>`);
    expect(format('HTTPS://example.org')).to.equal(`<p>${link('', 'HTTPS://example.org')}</p>`);
  });

  it('cuts no character in two when it shortens a link', () => {
    const html = format(`https://example.org/${'𝔘'.repeat(40)}`);
    expect(html.isWellFormed()).to.equal(true);
    expect(html).to.contain(`>example.org/${'𝔘'.repeat(18)}<`);
  });

  it('escapes links, and allows no control or bidi character in them', () => {
    expect(format(`https://example.org/?a="b"&c='d'<x>`)).to.match(/^<p><a href="[^"<>]*" target=/);
    for (const hidden of ['\u202E', '\u2066', '\u200F', '\u0000', '\u0007', '\u009F']) {
      const href = /href="([^"]*)"/.exec(format(`https://example.org/a${hidden}b`))?.[1];
      expect(href).to.match(/^https:\/\/example\.org\/ab?$/);
    }
  });

  it('keeps control characters and separators except NUL, and repairs broken surrogates', () => {
    expect(format('a\u0000b\u001Bc\u0085d\u2028\u2029\u{D800}e\tf')).to.equal(
      '<p>ab\u001Bc\u0085d\u2028\u2029\uFFFDe\tf</p>',
    );
  });

  it('accepts mixed languages and entities', () => {
    const html = format('مرحبا @alice، #نرم\u200Cافزار https://例え.みんな/道。ありがとう');
    expect(html.match(/<a /g)).to.have.length(3);
  });

  it('stays well-formed and fast for hostile texts of 100,000 characters', () => {
    const seeds = [
      '@',
      '#',
      'http://',
      '[',
      '@a@',
      '@a.',
      '#a·',
      '#1',
      'http://a.com/[',
      'http://a.com/([{',
      'http://a.b.',
    ];
    seeds.push(
      'https://',
      'a.b/https:',
      'a.com/(https://',
      'xmpp:',
      'xmpp:a@',
      'magnet:?:',
      'http://a.com/!',
      'http://a-',
      "http://a.com/'",
      'https://[::',
      '\n',
      '<',
      '&',
      'e\u0301',
      '·',
      '_#',
      '\u202E',
    );
    for (const seed of seeds) {
      const html = format(seed.repeat(100_000 / seed.length));
      expect(html.match(/<[a-z]/g)?.length ?? 0).to.equal(
        (html.match(/<\//g)?.length ?? 0) + (html.match(/<br/g)?.length ?? 0),
      );
    }
  }).timeout(20_000);
});

describe('The HTML of a profile', () => {
  it('marks up a biography like a status', () => {
    expect(formatNote('hi #x\n\n@alice', { origin, mentions })).to.equal(
      '<p>hi <a href="https://rookery.example/tags/x" class="mention hashtag" rel="tag">#<span>x</span></a></p>' +
        '<p><span class="h-card" translate="no"><a href="https://rookery.example/@alice" class="u-url mention">' +
        '@<span>alice</span></a></span></p>',
    );
  });

  it('gives a field one line, rel="me" on links and the domain of mentions', () => {
    expect(formatField(' https://example.org ', { origin, mentions })).to.equal(
      link('https://', 'example.org', '', 'nofollow noopener me'),
    );
    expect(formatField('@bob@x.org', { origin, mentions })).to.contain('@<span>bob@x.org</span>');
    expect(formatField('a\n\nb <i>', { origin, mentions })).to.equal('a\n\nb &lt;i&gt;');
  });
});
