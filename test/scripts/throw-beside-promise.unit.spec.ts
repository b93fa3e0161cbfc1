import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { throwBesidePromise } from '../../scripts/lint/throw-beside-promise.js';

const DECLARED = `declare function start(...given: unknown[]): Promise<void>;
declare function rowsOf(...given: unknown[]): unknown[];
declare const allDone: (works: Promise<unknown>[]) => Promise<void>;
declare const ids: string[];
declare const maybe: { start(): Promise<void> } | undefined;
`;

describe('The rule against what may throw beside a started promise', function () {
  this.timeout(60_000);
  let eslint: ESLint;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-lint-'));
    const compilerOptions = { strict: true, target: 'esnext', module: 'nodenext', types: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['linted.ts'] }));
    await writeFile(join(folder, 'linted.ts'), '');
    eslint = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ['**/*.ts'],
          languageOptions: {
            parser: tseslint.parser,
            parserOptions: { projectService: true, tsconfigRootDir: folder },
          },
          plugins: { rookery: { rules: { 'throw-beside-promise': throwBesidePromise } } },
          rules: { 'rookery/throw-beside-promise': 'error' },
        },
      ],
    });
  });

  after(() => rm(folder, { recursive: true }));

  /** Returns how often the rule reports the code. */
  const reportsOf = async (code: string): Promise<number> => {
    const [result] = await eslint.lintText(`${DECLARED}export const found = ${code};\n`, {
      filePath: join(folder, 'linted.ts'),
    });
    expect(result?.messages.filter(({ fatal }) => fatal === true)).to.deep.equal([]);
    return result?.messages.length ?? 0;
  };

  for (const code of [
    'Promise.all([start(), start(rowsOf())])',
    'Promise.all([start(), start(ids.map((id) => id.trim()))])',
    'Promise.all([start(), new Date(NaN).toISOString()])',
    'Promise.allSettled([start(), rowsOf().length > 0 ? start() : undefined])',
    'Promise.race([start(), start(`${ids.join()}`)])',
    'allDone([start(), start(...rowsOf())])',
    'Promise.all([...ids.map((id) => start(rowsOf(id)))])',
    'async () => Promise.all([start(), await start()])',
  ]) {
    it(`reports ${code}`, async () => {
      expect(await reportsOf(code)).to.be.at.least(1);
    });
  }

  for (const code of [
    'Promise.all([start(rowsOf()), start()])',
    'Promise.all([start(), start(ids, { ids }, String(1))])',
    'Promise.all([start(), start(() => rowsOf())])',
    'Promise.all([start(), start().catch(() => rowsOf())])',
    'Promise.all([start(), start(start())])',
    'Promise.all([start(), maybe?.start()])',
    'Promise.all([start(), import("node:fs")])',
    'Promise.all([...ids.map((id) => start(id)), start()])',
    'Promise.all(ids.map((id) => start(rowsOf(id))))',
    'rowsOf([start(), rowsOf()])',
  ]) {
    it(`accepts ${code}`, async () => {
      expect(await reportsOf(code)).to.equal(0);
    });
  }
});
