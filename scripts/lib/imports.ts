import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { targetOf } from '../lint/room-paths.js';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

export interface Import {
  /** A path from the root with `/`, or the name of a package (`node:fs`, `zod`). */
  target: string;
  /** Only types are imported, so nothing is loaded at run time. */
  typeOnly: boolean;
  /** An `import()`, which loads its target when it is called. */
  dynamic: boolean;
  /** The imported names as they are called here, and as the target calls them. */
  names: ReadonlyMap<string, string>;
}

/** Returns the TypeScript files of these folders, as sorted paths from the root. */
export const filesIn = (...folders: readonly string[]): string[] =>
  globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: ROOT },
  ).sort();

export const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Loads a file, by its path from the root. @returns its exports */
export const importModule = async (file: string): Promise<Record<string, unknown>> =>
  (await import(join(ROOT, file))) as Record<string, unknown>;

const cache = new Map<string, readonly Import[]>();

/** Returns the imports and re-exports of a file, `import()` included. */
export function importsOf(file: string): readonly Import[] {
  const cached = cache.get(file);
  if (cached) return cached;
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const each = importAt(node);
    if (each) found.push({ ...each, target: targetOf(file, each.target) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  cache.set(file, found);
  return found;
}

function importAt(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return {
      target: textIn(node.moduleSpecifier),
      typeOnly,
      dynamic: false,
      names: namesIn(node.importClause?.namedBindings),
    };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    const names = namesIn(node.exportClause);
    return { target: textIn(node.moduleSpecifier), typeOnly: node.isTypeOnly, dynamic: false, names };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [target] = node.arguments;
    return target && ts.isStringLiteral(target)
      ? { target: target.text, typeOnly: false, dynamic: true, names: NO_NAMES }
      : undefined;
  }
  return undefined;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

const namesIn = (
  list: ts.NamedImportBindings | ts.NamedExportBindings | undefined,
): ReadonlyMap<string, string> =>
  list && (ts.isNamedImports(list) || ts.isNamedExports(list))
    ? new Map(list.elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]))
    : NO_NAMES;

const textIn = (node: ts.Expression): string => (ts.isStringLiteral(node) ? node.text : '');

/** Returns the files of these folders that a file loads, directly or through others; itself included. Leaves out files of `except`. */
export function closureOf(
  file: string,
  folders: readonly string[],
  except: (file: string) => boolean = () => false,
): Set<string> {
  const seen = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { target, typeOnly } of importsOf(next)) {
      const isInside = folders.some((folder) => target.startsWith(`${folder}/`)) && target.endsWith('.ts');
      if (isInside && !typeOnly && existsSync(join(ROOT, target)) && !except(target)) open.push(target);
    }
  }
  return seen;
}
