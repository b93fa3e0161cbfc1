import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(resolve(ROOT, file), 'utf8');

/** npm runs these itself. */
const LIFECYCLE = ['prepare'];

describe('The scripts of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [, section = ''] = read('CONTRIBUTING.md').split(/^## Scripts$/m);
  const documented = [...section.matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name]) => name);

  it('each have a row in the table of CONTRIBUTING.md', () => {
    const names = Object.keys(scripts).filter((name) => !LIFECYCLE.includes(name));
    const remedy = 'Give each script a row in CONTRIBUTING, Scripts';
    expect(new Set(documented), remedy).to.deep.equal(new Set(names));
  });

  it('run files that exist', () => {
    const files = Object.values(scripts).flatMap(
      (script) => script.match(/\b(?:scripts|bench|test)\/[\w/.-]+\.ts\b/g) ?? [],
    );
    const missing = files.filter((file) => !existsSync(resolve(ROOT, file)));
    expect(files.length).to.be.greaterThan(3);
    expect(missing).to.deep.equal([]);
  });
});

describe('The documents for contributors', () => {
  /** Where a path begins that says no room: pages are in one place. */
  const STARTS = ['', 'src/interfaces/web/', 'src/interfaces/federation/'];
  /** Written by a script, or an example of a file that is made. */
  const MADE = new Set(['coverage/index.html', 'queries/lists/count.ts']);
  const PATH = /`([a-z]+\/[\w/.-]*\.(?:ts|txt|md|html)|[a-z]+\/[\w/.-]+\/)`/g;

  for (const document of ['CONTRIBUTING.md', 'ARCHITECTURE.md']) {
    it(`name files and folders that exist: ${document}`, () => {
      const paths = [...read(document).matchAll(PATH)].map(([, path = '']) => path);
      expect(paths.length).to.be.greaterThan(10);
      const missing = paths.filter(
        (path) => !MADE.has(path) && !STARTS.some((start) => existsSync(resolve(ROOT, start + path))),
      );
      expect(missing).to.deep.equal([]);
    });
  }
});
