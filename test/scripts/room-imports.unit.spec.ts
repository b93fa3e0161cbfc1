import { expect } from 'chai';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { ROOT } from '../../scripts/lib/imports.ts';
import { roomImports } from '../../scripts/lint/room-imports.js';
import { specifierFrom, targetOf } from '../../scripts/lint/room-paths.js';

describe('The rule that imports say their room', () => {
  const linter = new Linter({ cwd: ROOT });
  const mended = (file: string, code: string): string =>
    linter.verifyAndFix(
      code,
      {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { imports: { rules: { 'say-room': roomImports } } },
        rules: { 'imports/say-room': 'error' },
      },
      `${ROOT}/${file}`,
    ).output;

  for (const [title, file, before, after] of [
    ['names another room', 'commands/lists/add.ts', '../../src/kernel/errors.ts', '#kernel/errors.ts'],
    ['names a room one folder up', 'src/events/lists.ts', '../kernel/event.ts', '#kernel/event.ts'],
    ['names its own room instead of two folders up', 'queries/admin/a/b.ts', '../../c.ts', '#queries/c.ts'],
    ['stays relative to a neighbour', 'src/kernel/a.ts', './errors.ts', './errors.ts'],
    ['stays relative one folder up in its room', 'commands/lists/a.ts', '../use-case.ts', '../use-case.ts'],
    ['becomes relative inside of its room', 'src/kernel/a.ts', '#kernel/errors.ts', './errors.ts'],
    ['stays relative outside of the rooms', 'src/config/a.ts', '../../package.json', '../../package.json'],
    ['leaves packages alone', 'src/kernel/a.ts', 'node:fs', 'node:fs'],
  ] as const) {
    it(`makes an import that ${title}`, () => {
      for (const form of [
        `import { a } from '@@';`,
        `export { a } from '@@';`,
        `export * from '@@';`,
        `const a = await import('@@');`,
        `type A = typeof import('@@');`,
      ]) {
        expect(mended(file, form.replace('@@', before))).to.equal(form.replace('@@', after));
      }
    });
  }

  it('finds the file that each form means', () => {
    expect(targetOf('commands/lists/a.ts', '#kernel/errors.ts')).to.equal('src/kernel/errors.ts');
    expect(targetOf('commands/lists/a.ts', '../use-case.ts')).to.equal('commands/use-case.ts');
    expect(targetOf('commands/lists/a.ts', 'zod')).to.equal('zod');
    expect(specifierFrom('test/lists/a.ts', 'commands/use-case.ts')).to.equal('#commands/use-case.ts');
  });
});
