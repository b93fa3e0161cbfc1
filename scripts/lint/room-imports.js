import { posix, relative, sep } from 'node:path';
import { specifierFrom, targetOf } from './room-paths.js';

/**
 * Asks that an import says the room of its file, as in `#kernel/errors.ts`, unless the file is in the same room and at most one
 * folder up.
 * @type {import('eslint').Rule.RuleModule}
 */
export const roomImports = {
  meta: { type: 'layout', fixable: 'code', messages: { room: "Import it as '{{ expected }}'." }, schema: [] },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join(posix.sep);
    const check = (literal) => {
      if (literal?.type !== 'Literal' || typeof literal.value !== 'string') return;
      if (!/^[.#]/.test(literal.value)) return;
      const expected = specifierFrom(file, targetOf(file, literal.value));
      if (expected === literal.value) return;
      const fix = (fixer) => fixer.replaceText(literal, `'${expected}'`);
      context.report({ node: literal, messageId: 'room', data: { expected }, fix });
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      TSImportType: ({ source, argument }) => check(source ?? argument?.literal),
    };
  },
};
