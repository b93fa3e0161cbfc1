import ts from 'typescript';
import { filesIn, importsOf } from './imports.ts';
import { eachNode, sourceOf } from './visit.ts';

/** A prepared statement: its name, or the expression that makes it, and the source of its SQL. */
export interface FoundStatement {
  name: string;
  sql: string;
}

/** A function that makes statements when it is called, such as `markedBy`. */
interface Maker {
  parameters: readonly string[];
  made: readonly FoundStatement[];
}

/** The functions that make a statement of their arguments. */
const DECLARES_STATEMENT: ReadonlySet<string> = new Set([
  'src/kernel/read.ts statement',
  'src/kernel/paging.ts keysetStatement',
  'queries/entities/account-page.ts ownList',
]);

/**
 * Returns the statements that a file declares, itself or by calling a function that makes them, each with the source of
 * its SQL. A name that is put together of more than literals keeps its expression.
 */
export function statementsOf(file: string): FoundStatement[] {
  const source = sourceOf(file);
  const found: FoundStatement[] = [];
  if (!source) return found;
  eachNode(source, (node) => {
    if (!ts.isCallExpression(node)) return;
    const callee = declarationOf(file, node.expression.getText(source));
    const maker = statementMakers().get(callee);
    if (DECLARES_STATEMENT.has(callee)) found.push(statementIn(node, source));
    else if (maker) found.push(...maker.made.map((each) => namedBy(maker, textsIn(node, source), each)));
  });
  // Calls of a function that makes statements name them.
  const unnamed = new Set(
    makersIn(file).flatMap(([, { parameters, made }]) =>
      made.filter(({ name }) => mentions(name, parameters)).map(({ name }) => name),
    ),
  );
  return found.filter(({ name }) => !unnamed.has(name));
}

const textsIn = (call: ts.CallExpression, source: ts.SourceFile): string[] =>
  call.arguments.map((argument) => argument.getText(source));

const unquoted = (text: string): string => text.replace(/^['"`]|['"`]$/g, '');

function statementIn(call: ts.CallExpression, source: ts.SourceFile): FoundStatement {
  const [name = '', ...rest] = textsIn(call, source);
  return { name: unquoted(name), sql: rest.join(' ') };
}

const mentions = (name: string, parameters: readonly string[]): boolean =>
  parameters.some((each) => name === each || name.includes(`\${${each}}`));

/** Puts the literals of a call into the name of a statement. */
function namedBy(
  { parameters }: Maker,
  given: readonly string[],
  { name, sql }: FoundStatement,
): FoundStatement {
  const filled = parameters.reduce((before, parameter, index) => {
    const text = given[index];
    if (text === undefined || !/^'[^']*'$/.test(text)) return before;
    return before === parameter ? unquoted(text) : before.replaceAll(`\${${parameter}}`, unquoted(text));
  }, name);
  return { name: filled, sql };
}

/** Returns where a name of a file is declared, as `file name`: functions of different files have the same name. */
function declarationOf(file: string, name: string): string {
  const from = importsOf(file).find(({ names }) => names.has(name));
  if (!from) return `${file} ${name}`;
  const there = from.names.get(name) ?? name;
  return from.target.endsWith('.ts') ? declarationOf(from.target, there) : `${from.target} ${there}`;
}

/** Returns all makers of statements by where they are declared. */
const statementMakers = memoize(() => new Map(filesIn('queries', 'commands').flatMap(makersIn)));

function makersIn(file: string): [declaration: string, maker: Maker][] {
  const source = sourceOf(file);
  const found: [string, Maker][] = [];
  if (!source) return found;
  eachNode(source, (node) => {
    const makes = functionAt(node);
    if (!makes) return;
    const made: FoundStatement[] = [];
    eachNode(makes.body, (inner) => {
      if (!ts.isCallExpression(inner)) return;
      const callee = declarationOf(file, inner.expression.getText(source));
      if (DECLARES_STATEMENT.has(callee)) made.push(statementIn(inner, source));
    });
    const parameters = makes.parameters.map(({ name }) => name.getText(source));
    if (made.length > 0) found.push([`${file} ${makes.name}`, { parameters, made }]);
  });
  return found;
}

interface NamedFunction {
  name: string;
  parameters: readonly ts.ParameterDeclaration[];
  body: ts.Node;
}

function functionAt(node: ts.Node): NamedFunction | undefined {
  if (ts.isFunctionDeclaration(node) && node.name && node.body) {
    return { name: node.name.text, parameters: node.parameters, body: node.body };
  }
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return undefined;
  const { name, initializer } = node;
  return initializer && ts.isArrowFunction(initializer)
    ? { name: name.text, parameters: initializer.parameters, body: initializer.body }
    : undefined;
}

function memoize<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
