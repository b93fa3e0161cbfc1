import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../../scripts/lib/imports.ts';
import type { Declared, Place } from './recording-read.ts';

/** A column in the type of the rows: its kind is `string`, `number`, `string[]` and so on; several are joined by ` | `. */
export interface TypedColumn {
  kind: string;
  /** The rows may lack it. */
  isOptional: boolean;
}

export type TypedColumns = ReadonlyMap<string, TypedColumn>;

/**
 * Returns a function that finds the columns in the type of a statement's rows: none where it has no type, and undefined where
 * no call tells the type. Only the types of rows are checked, which takes a tenth of a check of the files.
 */
export function rowTypes(
  files: readonly string[],
): (declared: Pick<Declared, 'calls'>) => TypedColumns | undefined {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([...files], options);
  const checker = program.getTypeChecker();
  const rowAt = (place: Place): ts.Type | undefined => {
    const source = program.getSourceFile(place.file);
    const call = source && callAt(source, place);
    return call && rowIn(checker.getTypeAtLocation(call), checker);
  };
  return ({ calls }) => {
    for (const place of calls) {
      const row = rowAt(place);
      if (row) return columnsIn(row, checker);
    }
    return undefined;
  };
}

/** Returns the call whose callee ends with the name at a place: V8 says that the call is there. */
function callAt(source: ts.SourceFile, { line, column }: Place): ts.CallExpression | undefined {
  const position = source.getPositionOfLineAndCharacter(line - 1, column - 1);
  let found: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    if (node.pos > position || node.end < position) return;
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
      if (name.getStart(source) === position) found = node;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the type of the rows of a statement, or of an object of statements; undefined for a parameter of a function. */
function rowIn(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const rows = new Set(
    [type, ...checker.getPropertiesOfType(type).map((member) => checker.getTypeOfSymbol(member))].flatMap(
      (each) => statementRow(each, checker),
    ),
  );
  const [row] = rows;
  return rows.size === 1 ? row : undefined;
}

function statementRow(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const symbol = type.getSymbol()?.getName();
  if (symbol !== 'Statement' && symbol !== 'KeysetStatement') return [];
  return checker.getTypeArguments(type as ts.TypeReference).filter((row) => !isOpen(row));
}

const isOpen = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.TypeParameter) !== 0 ||
  (type.isUnionOrIntersection() && type.types.some(isOpen));

function columnsIn(row: ts.Type, checker: ts.TypeChecker): TypedColumns {
  const columns = new Map<string, TypedColumn>();
  for (const member of partsOf(row).flatMap((part) => checker.getPropertiesOfType(part))) {
    const kinds = kindsOf(checker.getTypeOfSymbol(member), checker);
    const before = columns.get(member.name);
    columns.set(member.name, {
      kind: joined([...(before ? before.kind.split(' | ') : []), ...kinds]),
      isOptional: before?.isOptional === true || (member.flags & ts.SymbolFlags.Optional) !== 0,
    });
  }
  return columns;
}

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
const joined = (kinds: readonly string[]): string => [...new Set(kinds)].sort().join(' | ');

const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
const KINDS = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.BigIntLike, 'bigint'],
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown, 'any'],
] as const;

/** Returns the kinds of the values of a type, except null and undefined. */
const kindsOf = (type: ts.Type, checker: ts.TypeChecker): string[] =>
  partsOf(type).flatMap((part) => {
    if ((part.flags & NOTHING) !== 0) return [];
    const basic = KINDS.find(([flag]) => (part.flags & flag) !== 0);
    if (basic) return [basic[1]];
    if (part.isIntersection()) return part.types.flatMap((each) => kindsOf(each, checker)).slice(0, 1);
    const [item] = checker.isArrayType(part) ? checker.getTypeArguments(part as ts.TypeReference) : [];
    if (item) return [`${joined(kindsOf(item, checker))}[]`];
    const name = part.getSymbol()?.getName() ?? '';
    return [CLASSES.has(name) ? name : 'object'];
  });

const CLASSES = new Set(['Buffer', 'Date']);
