import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { countCharacters } from '#commands/text/count.ts';
import { script } from '#interfaces/web/browser/script.ts';
import { stylesheet } from '#interfaces/web/design/stylesheet.ts';

const MODULES = new URL('../../src/interfaces/web/browser/', import.meta.url);

describe('The script and the style of the pages', () => {
  it('are small', () => {
    expect(Buffer.byteLength(script.text)).to.be.lessThan(30_000);
    expect(Buffer.byteLength(stylesheet.text)).to.be.lessThan(40_000);
  });

  it('are one script without imports, which every browser can parse', () => {
    expect(script.text).not.to.match(/^(import|export)\b/m);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- only parses it
    expect(() => new Function(script.text)).not.to.throw();
  });

  it('contain each module that another one imports, after those that it imports', async () => {
    const main = await readFile(new URL('main.js', MODULES), 'utf8');
    for (const [, name = ''] of main.matchAll(/^import \{ (\w+)/gm)) {
      expect(script.text, name).to.match(new RegExp(`(function|const) ${name}\\b`));
    }
  });
});

describe('The character count of the composer', () => {
  const TEXTS = [
    '',
    'Hello',
    'Straße 👩‍👩‍👧‍👦 e\u0301 🇩🇪',
    'see https://example.com/a/very/long/path?with=a&query=that-is-long#and-a-part',
    'https://example.com/. And (https://example.org/a), https://example.org/a_(b).',
    'https://a.b.example.com:8080/x https://例え.jp/テスト',
    'HTTPS://EXAMPLE.COM and http://example.com?q=1',
    'ahttps://example.com/long-enough-to-notice @https://example.com/long-enough-to-notice',
    '@alice @bob@far.example.org, (@carol@example.com) mail@example.com x/@dora@example.com',
    '@bob@far.example.org@again #tag@example.com',
    '#tag https://example.com/#tag $https://example.com/a-long-path-that-is-text',
    'line\nline\r\nline\n\nhttps://example.com/a\nhttps://example.com/b',
    'a.b https:// https://x https://localhost/not-public',
  ];

  for (const text of TEXTS) {
    it(`equals that of the server for ${JSON.stringify(text)}`, async () => {
      const { lengthOf } = (await import(new URL('count.js', MODULES).href)) as {
        lengthOf: (text: string, perLink: number) => number;
      };
      expect(lengthOf(text, 23)).to.equal(countCharacters({ text }));
    });
  }
});
