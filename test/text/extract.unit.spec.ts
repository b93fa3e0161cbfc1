import { expect } from 'chai';
import {
  extractHashtags,
  extractLinks,
  extractMentions,
  extractUnreadHandles,
  handleKey,
} from '#commands/text/extract.ts';

const handles = (text: string) => extractMentions(text).map(handleKey);

describe('The mentions in a text', () => {
  it('are local or remote, each once, in order, as written', () => {
    expect(extractMentions('@Alice and @bob@Example.org, again @alice @BOB@example.ORG')).to.deep.equal([
      { username: 'Alice', domain: null },
      { username: 'bob', domain: 'Example.org' },
    ]);
  });

  it('end before punctuation, and may follow it', () => {
    expect(handles('(@a) "@b@x.org". @c@y.org, .@d @e: @f@z.example-')).to.deep.equal([
      'a',
      'b@x.org',
      'c@y.org',
      'd',
      'e',
      'f@z.example',
    ]);
  });

  it('may contain dots and hyphens, and domains of any script', () => {
    expect(handles('@a.b-c@x.org @d@例え.テスト @e@xn--r8jz45g.xn--zckzah')).to.deep.equal([
      'a.b-c@x.org',
      'd@xn--r8jz45g.xn--zckzah',
      'e@xn--r8jz45g.xn--zckzah',
    ]);
  });

  it('are not found where their name becomes no link', () => {
    expect(handles('@a@ @b@. @cé https://example.org/-@d')).to.deep.equal([]);
  });

  const NO_HOSTS = [
    '☃.net',
    '😀.example',
    '-x.example',
    '[2001:db8::1]',
    '',
    '.',
    'host@host',
    '＠x.org',
    'x.org☃.net',
    'x.org.😀',
    'x.org\u200B.evil.example',
    'a'.repeat(254),
  ];
  for (const host of NO_HOSTS) {
    it(`never mean the local account where ${JSON.stringify(host.slice(0, 30))} is no host`, () => {
      const text = `Hi @bob@${host} and @carol`;
      expect(handles(text)).to.deep.equal(['carol']);
      expect(extractUnreadHandles(text)).to.deep.equal([`@bob@${host}`.slice(0, 100)]);
    });
  }

  it('go on to be read before emojis, marks of direction and the end of a sentence', () => {
    const text = '@a@x.org😀 @b@x.org\u200F. @c😀.Hi @d@x.org. 👍 @e@x.org…';
    expect(handles(text)).to.deep.equal(['a@x.org', 'b@x.org', 'c', 'd@x.org', 'e@x.org']);
    expect(extractUnreadHandles(text)).to.deep.equal([]);
  });

  it('are not looked for in e-mail addresses and links when unread handles are listed', () => {
    const text = 'a@b@c https://x.org/@a@b. @a/@b @é, @佐藤@例え. ＠bob＠x.org';
    expect(extractUnreadHandles(text)).to.deep.equal(['@佐藤@例え.', '＠bob＠x.org']);
  });

  it('have a port only for hosts on one’s own machine', () => {
    expect(handles('@a@localhost:3001 @b@127.0.0.1:4000 @c@example.org:8080')).to.deep.equal([
      'a@localhost:3001',
      'b@127.0.0.1:4000',
      'c@example.org',
    ]);
  });

  it('are not found in e-mail addresses, links or after letters of any script', () => {
    expect(
      handles('a@b.org mailto:x@y.org https://x.org/@carol x.org/@dave ?q=@eve _@f é@g 日@h'),
    ).to.deep.equal([]);
  });

  it('are found before and between other scripts', () => {
    expect(handles('مرحبا @ali، (@가) @佐藤 @taro。')).to.deep.equal(['ali', 'taro']);
  });
});

describe('The hashtags in a text', () => {
  const examples: [string, string[]][] = [
    ['#one #Two #one #TWO', ['one', 'Two']],
    ['#café #Straße #naïve', ['café', 'Straße', 'naïve']],
    [
      '#日本語 #한국어、#中文。 #ไทย #हिन्दी #עברית #العربية #Ελληνικά #Русский',
      ['日本語', '한국어', 'ไทย', 'हिन्दी', 'עברית', 'العربية', 'Ελληνικά', 'Русский'],
    ],
    ['#ぼっち・ざ・ろっく！ #l·lengua', ['ぼっち・ざ・ろっく', 'l·lengua']],
    ['#2·8·3のつく日は特売日', ['2·8·3のつく日は特売日']],
    ['#نرم\u200Cافزار', ['نرم\u200Cافزار']],
    ['#foo· #bar・ #·baz', ['foo', 'bar']],
    ['#1 #2024 #_ #١٢', []],
    ['#2024elections #1_2 #web_dev', ['2024elections', '1_2', 'web_dev']],
    ['＃全角 ##double', ['全角']],
    ['a#b 1#c 日#d /#e )#f =#g (#h) "#i" .#j ,#k -#l _#m &#n; 😀#o', []],
    ['#a\n#b\t#c\u3000#d', ['a', 'b', 'c', 'd']],
    ['#a² #xhttps://example.org', ['a', 'x']],
    ['https://x.org/#a https://x.org/p?q#b x.org/#c', []],
    ['https://x.org/?a\u3000#b magnet:?x\u00A0#c', ['b', 'c']],
    ["#it's #C++ #a-b", ['it', 'C', 'a']],
    ['#️⃣ &#39;', []],
    ['#𝔘𝔫𝔦 #🎉', ['𝔘𝔫𝔦']],
    [`#${'x'.repeat(360)}`, ['x'.repeat(360)]],
  ];
  for (const [text, tags] of examples) {
    it(`are ${tags.length} for ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(extractHashtags(text)).to.deep.equal(tags));
  }

  it('are one when they differ only in case, width or accents', () => {
    expect(extractHashtags('#BLÅHAJ #blahaj #ＢＬＡＨＡＪ')).to.deep.equal(['BLÅHAJ']);
  });
});

describe('The links in a text', () => {
  const examples: [string, string[]][] = [
    [
      'see https://example.org, or (http://example.org/a_(b)).',
      ['https://example.org', 'http://example.org/a_(b)'],
    ],
    ['HTTPS://EXAMPLE.ORG/X?y=1&z=2#f!', ['HTTPS://EXAMPLE.ORG/X?y=1&z=2#f']],
    [
      'example.org www.example.org ftp://example.org mailto:a@example.org //example.org javascript://example.org',
      [],
    ],
    ['http://localhost/ http://intranet/ http://1.2.3.4/ http://[::1]/ https://x.notatld', []],
    [
      'こちらhttps://example.jp/道 「https://例え.みんな/」',
      ['https://example.jp/道', 'https://例え.みんな/'],
    ],
    ['https://a_b.example.org/ https://a.b_c.org/', ['https://a_b.example.org/']],
    [
      'gemini://example.org gopher://example.org/1 ipfs://x/y ssb://example.org',
      ['gemini://example.org', 'gopher://example.org/1', 'ssb://example.org'],
    ],
    [
      'xmpp:a@example.org xmpp:room@muc.example.org?join magnet:?x magnet: xmpp:a',
      ['xmpp:a@example.org', 'xmpp:room@muc.example.org?join', 'magnet:?x'],
    ],
    [
      'https://example.org/“x” https://example.org/…: https://example.org/あ。',
      ['https://example.org/“x”', 'https://example.org/…', 'https://example.org/あ。'],
    ],
    [
      'https://example.org/[a] https://example.org/** https://example.org#x https://example.org/?q="x"',
      ['https://example.org/[a', 'https://example.org/', 'https://example.org', 'https://example.org/?q='],
    ],
    [
      'https://example.org/(日本) https://example.org/(日本)/',
      ['https://example.org/', 'https://example.org/(日本)/'],
    ],
    [
      'https://example.org/f() https://example.org/g(). (https://example.org/h()) https://example.org/a()b',
      [
        'https://example.org/f()',
        'https://example.org/g()',
        'https://example.org/h()',
        'https://example.org/a()b',
      ],
    ],
    [
      'https://example.org/Special:* https://example.org/?q=x:* https://example.org/?q=f() https://example.org/?q=g()).',
      [
        'https://example.org/Special:*',
        'https://example.org/?q=x:*',
        'https://example.org/?q=f()',
        'https://example.org/?q=g()',
      ],
    ],
    [
      '**https://example.org/a:** https://example.org/b* https://example.org/c:',
      ['https://example.org/a', 'https://example.org/b', 'https://example.org/c'],
    ],
    ['example.org/https://example.com example.org?u=https://example.com', []],
    ['example.org/a、xmpp:b@example.org example.org/magnet:?x', ['xmpp:b@example.org', 'magnet:?x']],
    ['https://😀.ws/', []],
    ['https://example.comです', ['https://example.com']],
    ['xhttps://example.org 1http://example.org @https://example.org', []],
    ['http://user:secret@example.org/', []],
    [
      'https://example.org/a\u202Egpj.exe https://example.org/b\u200Bc',
      ['https://example.org/a', 'https://example.org/b\u200Bc'],
    ],
    [
      'http://xn--r8jz45g.xn--q9jyb4c/ http://abc.onion/',
      ['http://xn--r8jz45g.xn--q9jyb4c/', 'http://abc.onion/'],
    ],
    ['https:// http://. http://.. http://a..com https://', []],
    [`https://example.org/${'a'.repeat(5000)}`, []],
  ];
  for (const [text, links] of examples) {
    it(`are ${links.length} for ${JSON.stringify(text.slice(0, 50))}`, () =>
      expect(extractLinks(text)).to.deep.equal(links));
  }
});
