import ts from 'typescript';
import { digestOf } from '#storage/postgres/rebuild/tables-digest.ts';

/**
 * Returns a digest of the code of some files, in whatever order. Comments, types, imports, white space and commas at the end of a list
 * do not count.
 */
export const sourceDigest = (texts: readonly string[]): string => digestOf(texts.map(codeOf).sort());

/** Returns the tokens of a file that run, with a space between two. */
function codeOf(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
      verbatimModuleSyntax: true,
    },
  });
  const source = ts.createSourceFile('code.js', outputText, ts.ScriptTarget.Latest);
  const statements = source.statements.filter((each) => !ts.isImportDeclaration(each));
  const tokens = statements.flatMap((each) => tokensOf(each, source));
  return tokens.filter((token, index) => !(token === ',' && CLOSING.has(tokens[index + 1] ?? ''))).join(' ');
}

const CLOSING = new Set([')', ']', '}']);

const tokensOf = (node: ts.Node, source: ts.SourceFile): string[] =>
  node.getChildCount(source) === 0
    ? [node.getText(source).replaceAll(/\s+/g, ' ').trim()].filter((token) => token !== '')
    : node.getChildren(source).flatMap((child) => tokensOf(child, source));
