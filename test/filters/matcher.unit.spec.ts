import { expect } from 'chai';
import { Automaton } from '#queries/filters/automaton.ts';
import { foldText } from '#queries/filters/fold-text.ts';
import { CompiledFilters } from '#queries/filters/matcher.ts';
import type { FullFilter } from '#queries/filters/read.ts';

const filterWith = (
  keywords: readonly (readonly [string, boolean])[],
  settings: Partial<FullFilter> = {},
): FullFilter => ({
  id: '1',
  title: 'Series',
  context: ['home'],
  filter_action: 'warn',
  expires_at: null,
  keywords: keywords.map(([keyword, whole_word], index) => ({ id: String(index + 1), keyword, whole_word })),
  statuses: [],
  ...settings,
});
const matches = (keyword: string, text: string, wholeWord = true): boolean =>
  new CompiledFilters([filterWith([[keyword, wholeWord]])]).match({ statusId: '9', text }, 0).length > 0;

describe('Matching texts with keywords', () => {
  const cases: [what: string, keyword: string, hit: string[], miss: string[]][] = [
    [
      'words',
      'cat',
      ['cat', 'A cat.', '(cat)', 'the cat', 'cat\nnap', 'CAT', 'cat-like', '#cat', '@cat', 'a😀cat😀'],
      ['cats', 'concat', 'cat_1', '_cat', 'cat5', '5cat', 'ca t', ''],
    ],
    ['several words', 'bad word', ['a bad word!', 'Bad Word'], ['bad words', 'abad word', 'bad  word']],
    ['hashtags', '#cat', ['#cat', 'x#cat', '#Cat!'], ['#cats', '# cat', 'cat']],
    ['addresses', '@twitter.com', ['me@twitter.com', '@twitter.com.'], ['@twitter.comm', '@twitterXcom']],
    ['links', 'https://t.co/', ['https://t.co/abc', '(https://t.co/)'], ['xhttps://t.co/']],
    ['emoji', '😀', ['😀', 'a😀b', '😀😀'], ['😃', '\u{1f601}']],
    ['emoji of several characters', '👩‍🚀', ['x👩‍🚀y', '👩‍🚀'], ['👩', '🚀', '👨‍🚀']],
    ['Chinese', '日本', ['日本', '「日本」', '日本。', '日本 語'], ['日本語', '大日本']],
    ['Cyrillic', 'мир', ['Мир', 'МИР!'], ['мира', 'кумир']],
    ['Greek, with its two sigmas', 'ΣΟΦΟΣ', ['σοφος', 'σοφοσ'], ['σοφοι']],
    ['sharp s', 'straße', ['STRASSE', 'Strasse', 'straße'], ['strassen']],
    ['accents, composed or not', 'caf\u00e9', ['cafe\u0301', 'CAFÉ'], ['cafe', 'cafés']],
    ['Arabic', 'سلام', ['سلام', 'سلام!'], ['سلامة']],
    ['only punctuation', '...', ['a...b', '...', '....'], ['..', '. . .']],
    ['metacharacters', 'a.*(b|c)+[d]\\w$^?{2}', ['A.*(B|C)+[D]\\w$^?{2}'], ['aXb', 'abd']],
    ['spaces at the ends', ' cat ', ['a cat b'], ['cat', 'a cat']],
    ['a combining mark at the end', 'e\u0301', ['é', 'é!'], ['éa', 'e']],
    ['a word that ends in a dot', 'etc.', ['etc.', 'etc.x', '(etc.)'], ['xetc.', 'etc']],
  ];
  for (const [what, keyword, hit, miss] of cases) {
    it(`finds ${what}, and nothing else`, () => {
      for (const text of hit) expect(matches(keyword, text), `${keyword} in ${text}`).to.equal(true);
      for (const text of miss) expect(matches(keyword, text), `${keyword} in ${text}`).to.equal(false);
    });
  }

  it('finds parts of words when whole words are not required', () => {
    for (const text of ['cats', 'concat', 'CAT', 'x_cat_x']) {
      expect(matches('cat', text, false), text).to.equal(true);
    }
    expect(matches('日本', '大日本語', false)).to.equal(true);
    expect(matches('cat nap', 'concat napping', false)).to.equal(true);
    expect(matches('t.', 'cat.', false)).to.equal(true);
    expect(matches('cat', 'c at', false)).to.equal(false);
  });

  it('finds a keyword of a thousand characters, and none that differs by one', () => {
    const keyword = 'ab'.repeat(500);
    expect(matches(keyword, `x ${keyword} y`)).to.equal(true);
    expect(matches(keyword, `${'ab'.repeat(499)}ac`)).to.equal(false);
    expect(matches('😀'.repeat(1_000), '😀'.repeat(1_001))).to.equal(true);
  });

  it('names the matching keywords of each filter once, oldest filter first', () => {
    const compiled = new CompiledFilters([
      filterWith([
        ['cat', true],
        ['dog', true],
        ['Nap', false],
      ]),
      filterWith([['cat', false]], { id: '2', title: 'Cats', filter_action: 'hide' }),
      filterWith([['bird', true]], { id: '3' }),
    ]);
    const results = compiled.match({ statusId: '9', text: 'a CAT napping, cat' }, 0);
    expect(results).to.deep.equal([
      {
        filter: { id: '1', title: 'Series', context: ['home'], filter_action: 'warn', expires_at: null },
        keyword_matches: ['CAT'],
        status_matches: null,
      },
      {
        filter: { id: '2', title: 'Cats', context: ['home'], filter_action: 'hide', expires_at: null },
        keyword_matches: ['CAT'],
        status_matches: null,
      },
    ]);
    const words = (text: string) =>
      compiled.match({ statusId: text, text }, 0).map((each) => each.keyword_matches);
    expect(words('NAPs, a Cat')).to.deep.equal([['NAP'], ['Cat']]);
    expect(words('a Bird, birds')).to.deep.equal([['Bird']]);
    expect(compiled.match({ statusId: '9', text: 'nothing of it' }, 0)).to.deep.equal([]);
    expect(compiled.match({ statusId: '9', text: 'a bird' }, 0)).to.have.length(1);
  });

  it('matches named statuses, also when they are reblogged', () => {
    const compiled = new CompiledFilters([filterWith([], { statuses: [{ id: '5', status_id: '100' }] })]);
    const matched = (statusId: string, reblogOfId?: string) =>
      compiled.match({ statusId, reblogOfId, text: '' }, 0).map(({ status_matches: ids }) => ids);
    expect(matched('100')).to.deep.equal([['100']]);
    expect(matched('200', '100')).to.deep.equal([['100']]);
    expect(matched('101')).to.deep.equal([]);
    expect(compiled.match({ statusId: '100', text: '' }, 0)[0]?.keyword_matches).to.equal(null);
    const both = new CompiledFilters([
      filterWith([['cat', true]], { statuses: [{ id: '5', status_id: '100' }] }),
    ]);
    const [hit] = both.match({ statusId: '101', text: 'a cat' }, 0);
    expect(hit).to.deep.include({ keyword_matches: ['cat'], status_matches: [] });
  });

  it('ignores filters that expired before or after they were compiled', () => {
    const at = Date.parse('2026-11-21T08:00:00.000Z');
    const filter = filterWith([['cat', true]], { expires_at: '2026-11-21T08:00:00.000Z' });
    const status = { statusId: '9', text: 'cat' };
    const compiled = new CompiledFilters([filter], at - 1);
    expect(compiled.match(status, at - 1)).to.have.length(1);
    expect(compiled.match(status, at)).to.deep.equal([]);
    expect(compiled.isActive(at - 1)).to.equal(true);
    expect(compiled.isActive(at)).to.equal(false);
    expect(new CompiledFilters([filter], at).isActive(at - 1)).to.equal(false);
  });

  it('is inactive for filters without keywords and statuses', () => {
    expect(new CompiledFilters([filterWith([])]).isActive(0)).to.equal(false);
  });
});

describe('The automaton', () => {
  /** A slow reference implementation of the automaton. */
  const WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u;
  function plainly(pattern: string, wholeWord: boolean, text: string): boolean {
    const isWord = (unit: string | undefined): boolean => unit !== undefined && WORD.test(unit);
    for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) {
      const end = at + pattern.length;
      const left = !isWord(pattern[0]) || !isWord(text[at - 1]);
      const right = !isWord(pattern.at(-1)) || !isWord(text[end]);
      if (!wholeWord || (left && right)) return true;
    }
    return false;
  }

  /**
   * A generator with the same numbers in every run:
   * https://en.wikipedia.org/wiki/Linear_congruential_generator
   */
  function numbers(): (below: number) => number {
    let seed = 7;
    return (below) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
  }

  it('finds the same patterns as a separate search for each', () => {
    const next = numbers();
    const alphabet = ['a', 'b', 'c', '.', ' ', '日', '_'];
    const word = (most: number): string =>
      Array.from({ length: 1 + next(most) }, () => alphabet[next(alphabet.length)]).join('');
    for (let round = 0; round < 300; round += 1) {
      const patterns = Array.from({ length: 1 + next(12) }, () => ({
        text: word(5),
        wholeWord: next(2) === 0,
      }));
      const automaton = new Automaton(patterns);
      for (let each = 0; each < 5; each += 1) {
        const text = word(30);
        const expected = patterns.flatMap(({ text: pattern, wholeWord }, index) =>
          plainly(pattern, wholeWord, text) ? [index] : [],
        );
        const found = automaton.matchesIn(text).sort((a, b) => a - b);
        expect(found, `${JSON.stringify(patterns)} in "${text}"`).to.deep.equal(expected);
      }
    }
  });

  it('finds the same patterns with more states than its table holds', () => {
    const next = numbers();
    const letters = Array.from({ length: 400 }, (_, index) => String.fromCharCode(0x4e00 + index));
    const word = (length: number): string =>
      Array.from({ length }, () => letters[next(letters.length)]).join('');
    const patterns = Array.from({ length: 300 }, () => ({ text: word(8), wholeWord: false }));
    const automaton = new Automaton(patterns);
    for (const [index, { text }] of patterns.entries()) {
      expect(automaton.matchesIn(`${word(20)}${text}${word(20)}`)).to.include(index);
      expect(automaton.matchesIn(`${text.slice(0, 7)}${text.slice(0, 7)}x`)).not.to.include(index);
      expect(automaton.matchesIn(`${text.slice(0, 5)}${text}`)).to.include(index);
    }
  });

  it('reports every pattern once, however often it occurs or nests', () => {
    const patterns = Array.from({ length: 400 }, (_, index) => ({
      text: 'a'.repeat(index + 1),
      wholeWord: false,
    }));
    const found = new Automaton(patterns).matchesIn('a'.repeat(20_000));
    expect(found.sort((a, b) => a - b)).to.deep.equal(patterns.map((_, index) => index));
  });

  it('runs in time linear to the text, also when word boundaries never fit', () => {
    // If boundaries were checked after the match, each dot would have hundreds of candidates here, all of
    // them in vain.
    const patterns = Array.from({ length: 200 }, (_, index) => ({
      text: `b.${'ab.'.repeat(index)}`,
      wholeWord: true,
    }));
    const automaton = new Automaton(patterns);
    expect(automaton.matchesIn('ab.'.repeat(50_000))).to.deep.equal([]);
    expect(automaton.matchesIn(` b.${'ab.'.repeat(50_000)}`)).to.have.length(200);
  });
});

describe('Folding a text', () => {
  it('gives equal results for texts that differ only in case or Unicode form', () => {
    expect(foldText('HeLLo')).to.equal('hello');
    expect(foldText('Ⅷ ǅ ﬁ')).to.equal(foldText('ⅷ ǆ FI'));
    expect(foldText(foldText('İstanbul ΣΊΣΥΦΟΣ Straße'))).to.equal(foldText('İstanbul ΣΊΣΥΦΟΣ Straße'));
  });
});
