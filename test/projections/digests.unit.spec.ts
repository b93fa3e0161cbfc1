import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DIGESTS, type RecordedDigests, recordedDigests } from '#projections/digests.ts';
import { projections } from '#projections/index.ts';
import { tablesDigest } from '#storage/postgres/rebuild/tables-digest.ts';
import {
  digestsText,
  nextDigests,
  type PresentDigests,
  presentDigests,
  sourcesOf,
} from '../../scripts/lib/projection-digests.ts';
import { sourceDigest } from '../../scripts/lib/source-digest.ts';

describe('The digests of projections', () => {
  it('are recorded in projections/digests.txt', async () => {
    const next = nextDigests(recordedDigests(), await presentDigests());
    expect(readFileSync(DIGESTS, 'utf8'), 'run: npm run projections:golden').to.equal(digestsText(next));
  });

  it('are part of every projection', () => {
    const without = projections.filter(({ handlersDigests = [] }) => handlersDigests.length === 0);
    expect(
      without.map(({ name }) => name),
      'run: npm run projections:golden',
    ).to.deep.equal([]);
  });

  it('include the helpers of a folder and the functions that make stored JSON, but no declared events', () => {
    const sources = sourcesOf('projections/statuses/index.ts');
    expect(sources).to.include.members([
      'projections/statuses/index.ts',
      'projections/statuses/counts.ts',
      'src/events/status-body.ts',
      'src/mastodon/html.ts',
    ]);
    expect(sources).not.to.include('src/events/statuses.ts');
    expect(sourcesOf('projections/lists.ts')).to.deep.equal(['projections/lists.ts']);
  });
});

const lists: PresentDigests = {
  name: 'lists',
  version: 2,
  tables: 't2',
  handlers: 'h2',
  file: 'projections/lists.ts',
};
const polls: PresentDigests = {
  name: 'polls',
  version: 7,
  tables: 't7',
  handlers: 'h7',
  file: 'projections/polls.ts',
};
const recorded = new Map<string, RecordedDigests>([
  ['lists', { version: 2, tables: 't2', handlers: ['h2', 'h1'] }],
  ['polls', { version: 7, tables: 't7', handlers: ['h7'] }],
]);
const lineOf = (next: ReadonlyMap<string, RecordedDigests>, name: string): string | undefined =>
  digestsText(next)
    .split('\n')
    .find((line) => line.startsWith(name));

describe('The file of digests of projections', () => {
  it('stays as it is when no code changed', () => {
    expect(nextDigests(recorded, [polls, lists])).to.deep.equal(recorded);
    expect(digestsText(recorded)).to.equal('lists 2 t2 h2 h1\npolls 7 t7 h7\n');
  });

  for (const changed of [{ tables: 'other' }, { handlers: 'other' }]) {
    it(`refuses ${Object.keys(changed).join()} that changed at the same version, and says what to do`, () => {
      expect(() => nextDigests(recorded, [{ ...lists, ...changed }, polls])).to.throw(
        [
          'The code of lists changed: raise the version of lists to 3 in projections/lists.ts',
          'Then run: npm run projections:golden',
          'If the rows stay the same: npm run projections:golden -- --same-rows lists',
        ].join('\n'),
      );
    });
  }

  it('records a raised version without the digests of the earlier one', () => {
    const next = nextDigests(recorded, [{ ...lists, version: 3, tables: 't3', handlers: 'h3' }, polls]);
    expect(lineOf(next, 'lists')).to.equal('lists 3 t3 h3');
    expect(lineOf(next, 'polls')).to.equal('polls 7 t7 h7');
  });

  it('adds handlers that are said to make the same rows to those before', () => {
    const next = nextDigests(recorded, [{ ...lists, handlers: 'h3' }, polls], ['lists']);
    expect(lineOf(next, 'lists')).to.equal('lists 2 t2 h3 h2 h1');
    const back = nextDigests(next, [{ ...lists, handlers: 'h2' }, polls], ['lists']);
    expect(lineOf(back, 'lists')).to.equal('lists 2 t2 h2 h3 h1');
  });

  it('refuses others than those that are said to make the same rows', () => {
    const both = [
      { ...lists, handlers: 'h3' },
      { ...polls, handlers: 'h8' },
    ];
    expect(() => nextDigests(recorded, both, ['lists'])).to.throw(/^The code of polls changed/);
    expect(() => nextDigests(recorded, [lists, polls], ['lists'])).to.throw(
      'No code changed at the same version: lists',
    );
  });

  it('forgets a projection that is gone, and begins with the first version of a new one', () => {
    const next = nextDigests(recorded, [polls, { ...lists, name: 'tags', version: 1 }]);
    expect([...next.keys()]).to.deep.equal(['polls', 'tags']);
    expect(lineOf(next, 'tags')).to.equal('tags 1 t2 h2');
  });
});

const CODE = `import { on } from './a.ts';
const A = statement('a', \`select 1
  from t\`);
export const f = (n: number): number[] => [n, 2];`;

describe('The digest of a source', () => {
  for (const [what, text] of [
    ['comments', `// More\n${CODE.replace('[n', '/* less */ [n')}`],
    ['types', CODE.replace('(n: number): number[]', '(n)').concat('\ninterface More { n: 1 }\n')],
    ['imports', CODE.replace('./a.ts', './b.ts')],
    ['white space, also in SQL', CODE.replace('select 1\n  from', 'select  1 from').replace('[n,', '[\n n,')],
    ['a comma at the end of a list', CODE.replace('2]', '2,\n]')],
    ['parts of a union type', CODE.replace('number[]', 'number[] | never[]')],
  ] as const)
    it(`does not count ${what}`, () => {
      expect(text).not.to.equal(CODE);
      expect(sourceDigest([text])).to.equal(sourceDigest([CODE]));
    });

  for (const [what, text] of [
    ['a number', CODE.replace('2]', '3]')],
    ['SQL', CODE.replace('from t', 'from u')],
    ['an order', CODE.replace('n, 2', '2, n')],
    ['text that looks like a comment', CODE.replace("'a'", "'a // b'")],
  ] as const)
    it(`counts ${what}`, () => {
      expect(text).not.to.equal(CODE);
      expect(sourceDigest([text])).not.to.equal(sourceDigest([CODE]));
    });

  it('is the same for files that were renamed or reordered, and another one for a file more', () => {
    expect(sourceDigest(['a;', 'b;'])).to.equal(sourceDigest(['b;', 'a;']));
    expect(sourceDigest(['a;', 'b;'])).not.to.equal(sourceDigest(['a;', 'b;', 'c;']));
  });
});

describe('The digest of tables', () => {
  const tables = { a: 'id bigint primary key, title text', b: 'id bigint' };
  const index = 'create index a_by_title on a (title)';
  const digest = tablesDigest({ tables, indexes: [index] });

  it('does not count white space, the order of statements, or what uses an index', () => {
    const { a, b } = tables;
    expect(tablesDigest({ tables: { b, a: `\n  ${a.replace(', ', ',\n  ')} ` }, indexes: [index] })).to.equal(
      digest,
    );
    expect(tablesDigest({ tables, indexes: [], handlerIndexes: [index] })).to.equal(digest);
  });

  it('counts columns, their order, and indexes', () => {
    const others = [
      tablesDigest({ tables: { ...tables, b: 'id bigint, more text' }, indexes: [index] }),
      tablesDigest({ tables: { ...tables, a: 'title text, id bigint primary key' }, indexes: [index] }),
      tablesDigest({ tables, indexes: [] }),
      tablesDigest({ tables, indexes: [index.replace('(title)', '(title desc)')] }),
    ];
    expect(new Set([digest, ...others]).size).to.equal(5);
  });
});
