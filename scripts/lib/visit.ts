import ts from 'typescript';
import { filesIn, textOf } from './imports.ts';

/** Returns the syntax of a file; undefined where it does not exist. */
export const sourceOf = (file: string): ts.SourceFile | undefined =>
  filesIn(file.slice(0, file.lastIndexOf('/'))).includes(file)
    ? ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest)
    : undefined;

/** Calls a function with each node of a file; with none where the file does not exist. */
export function visit(file: string, each: (node: ts.Node, source: ts.SourceFile) => void): void {
  const source = sourceOf(file);
  if (source) eachNode(source, (node) => each(node, source));
}

/** Calls a function with a node and each node in it. */
export function eachNode(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node);
  ts.forEachChild(node, (child) => eachNode(child, each));
}
