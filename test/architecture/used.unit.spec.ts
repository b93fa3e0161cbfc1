import { Script } from 'node:vm';
import { expect } from 'chai';
import { consoleScript, consoleStyle } from '#interfaces/web/browser/console/assets.ts';
import { joined, script } from '#interfaces/web/browser/script.ts';
import { compactStyle, stylesheet } from '#interfaces/web/design/stylesheet.ts';
import { unreached, unusedExports } from '../../scripts/lib/unused.ts';
import { filesBelow, sourcesBelow } from './sources.ts';

/** Programs, and the file that a program starts by its path. */
const ENTRIES = ['src/main.ts', 'src/cli/main.ts', 'src/adapters/media/worker/process.ts'];

/** Reviewed: exports that only specs use. */
const FOR_SPECS = [
  'commands/text/extract.ts: extractLinks',
  // Why personal data stays or goes; a spec compares them with the tables.
  'src/adapters/personal-data.ts: KEPT',
  'src/adapters/personal-data.ts: CLEARED',
  // A second program at one embedded PostgreSQL.
  'src/storage/embedded/embedded.ts: connectEmbedded',
  // A spec compares the types with the catalogue of events.
  'src/events/public-events.ts: publicTypes',
];

describe('Each source file', () => {
  const sources = sourcesBelow('src', 'commands', 'queries', 'projections');

  it('is loaded by a program', () => {
    const remedy = 'Import it where its kind is listed: an index.ts, router.ts, src/cli/program.ts';
    expect(unreached(sources, ENTRIES), remedy).to.deep.equal([]);
  });

  it('exports what the program uses', () => {
    // The map of contracts has types only, and says nothing about use.
    const others = sources.filter(({ name }) => name !== 'src/interfaces/http/contracts.ts');
    const remedy = 'List or call it, as the files beside it are (a verb, a page, a check); or remove it';
    const unused = unusedExports(others);
    expect(
      unused.filter((each) => !FOR_SPECS.includes(each)),
      remedy,
    ).to.deep.equal([]);
    expect(unused, 'Take out of FOR_SPECS what the program uses now').to.include.members(FOR_SPECS);
  });

  it('is part of what browsers get, if it is a style or a script', () => {
    const styles = filesBelow('src/interfaces/web/design/styles', '.css');
    const scripts = filesBelow('src/interfaces/web/browser', '.js');
    const [css, js] = [stylesheet.text + consoleStyle.text, script.text + consoleScript.text];
    const left = [
      ...styles.filter(({ text }) => !css.includes(compactStyle(text))),
      ...scripts.filter(({ text }) => !js.includes(joined([text]))),
    ];
    const remedy = 'Name it in design/stylesheet.ts, browser/script.ts or browser/console/assets.ts';
    expect(
      left.map(({ name }) => name),
      remedy,
    ).to.deep.equal([]);
  });

  it('can be joined with the other scripts of its page, if it is a script', () => {
    // As in a module, a strict block refuses two functions of one name.
    for (const { text } of [script, consoleScript])
      expect(() => new Script(`'use strict'; { ${text} }`)).not.to.throw();
  });
});

describe('The search for unused code', () => {
  const sources = [
    { name: 'src/main.ts', text: "import { run } from '#app/run.ts';\nrun();" },
    { name: 'src/app/run.ts', text: "export const run = () => import('./late.ts');" },
    { name: 'src/app/late.ts', text: "import type { T } from './types.ts';\nexport function answer(): T {}" },
    {
      name: 'src/app/types.ts',
      text: 'export interface T {}\nexport const MOST = 3;\nconst twice = MOST * 2;',
    },
    { name: 'src/app/alone.ts', text: 'export const alone = 1;' },
  ];

  it('finds files that no program loads, and follows types and late imports', () => {
    expect(unreached(sources, ['src/main.ts'])).to.deep.equal(['src/app/alone.ts']);
  });

  it('finds exports that nothing uses, and counts use in the own file', () => {
    expect(unusedExports(sources)).to.deep.equal(['src/app/late.ts: answer', 'src/app/alone.ts: alone']);
  });

  it('does not take the overloads of a function for its use', () => {
    const text = 'export function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: never) {}';
    expect(unusedExports([{ name: 'a.ts', text }])).to.deep.equal(['a.ts: f']);
  });
});
