import { createHash } from 'node:crypto';
import { type Statement, statement } from '../read.ts';
import type { AnyColumn } from './columns.ts';

/** A table as its statements need it. */
export interface Shape {
  name: string;
  columns: Readonly<Record<string, AnyColumn>>;
  key: readonly string[];
  /** Other columns that are unique together. */
  unique?: readonly string[] | undefined;
}

/** Returns the column list of `create table`. */
export function columnList({ columns, key, unique }: Shape): string {
  const [only] = key.length === 1 ? key : [];
  const lines = Object.entries(columns).map(([name, column]) =>
    [
      name,
      column.type,
      ...(name === only ? ['primary key'] : column.isNullable ? [] : ['not null']),
      ...(column.clause === undefined ? [] : [column.clause]),
    ].join(' '),
  );
  if (only === undefined) lines.push(`primary key (${key.join(', ')})`);
  if (unique) lines.push(`unique (${unique.join(', ')})`);
  return lines.join(',\n');
}

/** A parameter of a statement: an array with an element for each row. */
export interface Parameter {
  name: string;
  /** The type of the elements. */
  element: string;
  /** Returns the element of a row. */
  of: (row: Record<string, unknown>) => unknown;
}

/** A statement on a batch of rows, with its parameters in order. */
export interface Batch {
  statement: Statement;
  parameters: readonly Parameter[];
}

/** The clause of an insert for rows whose key exists: `put` replaces their other columns. */
const CONFLICTS = { insert: '', add: ' on conflict do nothing', put: ' on conflict' };

export function insertBatch(shape: Shape, verb: keyof typeof CONFLICTS, names: readonly string[]): Batch {
  const replaced = verb === 'put' ? names.filter((name) => !shape.key.includes(name)) : [];
  const clause = verb === 'put' && replaced.length === 0 ? CONFLICTS.add : CONFLICTS[verb];
  return insertion(nameOf(shape, verb, names, undefaulted(shape)), shape, names, { clause, replaced });
}

/** Returns the insert of the usual columns that replaces only these where the key exists. */
export const mergeBatch = (shape: Shape, replaced: readonly string[]): Batch =>
  insertion(nameOf(shape, 'merge', replaced, []), shape, undefaulted(shape), {
    clause: CONFLICTS.put,
    replaced,
  });

function insertion(
  name: string,
  shape: Shape,
  names: readonly string[],
  { clause, replaced }: { clause: string; replaced: readonly string[] },
): Batch {
  const parameters = names.map((each) => valueOf(shape, each));
  const values = names.map((each) => decoded(shape, each)).join(', ');
  const sets = replaced.map((each) => `${each} = excluded.${each}`).join(', ');
  const replacing = replaced.length === 0 ? '' : ` (${shape.key.join(', ')}) do update set ${sets}`;
  const into = `insert into ${shape.name} (${names.join(', ')})`;
  return {
    statement: statement(
      name,
      `${into}\n   select ${values} from ${unnest(parameters)}${clause}${replacing}`,
    ),
    parameters,
  };
}

/** Returns the statement that sets these columns of the rows with these keys. */
export const setBatch = (shape: Shape, names: readonly string[]): Batch =>
  update(shape, 'set', names, (name) => ({
    parameters: [valueOf(shape, name)],
    value: decoded(shape, name),
  }));

/** Returns the statement that sets columns of the rows with these keys, as far as a row has a value for them. */
export const patchBatch = (shape: Shape, names: readonly string[]): Batch =>
  update(shape, 'patch', names, (name) => {
    const value = decoded(shape, name);
    if (shape.columns[name]?.isNullable !== true)
      return { parameters: [valueOf(shape, name)], value: `coalesce(${value}, t.${name})` };
    // Null is a value here, so a separate one tells whether the column changes.
    const changes = `${name}_changes`;
    return {
      parameters: [
        valueOf(shape, name),
        { name: changes, element: 'bool', of: (row) => row[name] !== undefined },
      ],
      value: `case when n.${changes} then ${value} else t.${name} end`,
    };
  });

/** Returns the statement that deletes the rows with these values. */
export function removeBatch(shape: Shape, names: readonly string[]): Batch {
  const parameters = names.map((name) => valueOf(shape, name));
  const [first, ...more] = parameters;
  const found =
    first && more.length === 0
      ? ` where ${first.name} = any($1::${first.element}[])`
      : ` t using ${unnest(parameters)} where ${sameAs(names)}`;
  return {
    statement: statement(nameOf(shape, 'delete', names, shape.key), `delete from ${shape.name}${found}`),
    parameters,
  };
}

/** Returns a statement of its own kind. `textOf` gets SQL for a `from` that has the columns under the alias `n`. */
export function ownBatch(name: string, columns: Shape['columns'], textOf: (rows: string) => string): Batch {
  const shape: Shape = { name, columns, key: [] };
  const names = Object.keys(columns);
  const parameters = names.map((column) => valueOf(shape, column));
  const isPlain = names.every((column) => columns[column]?.decode === undefined);
  const values = names.map((column) => `${decoded(shape, column)} as ${column}`).join(', ');
  const rows = isPlain ? unnest(parameters) : `(select ${values} from ${unnest(parameters)}) n`;
  return { statement: statement(name, textOf(rows)), parameters };
}

/** Returns the columns that an insert writes unless it names others. */
export const undefaulted = ({ columns }: Shape): string[] =>
  Object.keys(columns).filter((name) => columns[name]?.isOmitted === false);

function update(
  shape: Shape,
  verb: string,
  names: readonly string[],
  assigned: (name: string) => { parameters: Parameter[]; value: string },
): Batch {
  const assignments = names.map(assigned);
  const parameters = [
    ...shape.key.map((name) => valueOf(shape, name)),
    ...assignments.flatMap((each) => each.parameters),
  ];
  const sets = names.map((name, index) => `${name} = ${assignments[index]?.value ?? ''}`);
  return {
    statement: statement(
      nameOf(shape, verb, names, []),
      `update ${shape.name} t set ${sets.join(', ')}\n   from ${unnest(parameters)} where ${sameAs(shape.key)}`,
    ),
    parameters,
  };
}

function valueOf({ name: table, columns }: Shape, name: string): Parameter {
  const column = columns[name];
  if (!column) throw new Error(`The table ${table} has no column ${name}`);
  const { element, encode } = column;
  return {
    name,
    element,
    of: encode ? (row) => (row[name] == null ? null : encode(row[name])) : (row) => row[name] ?? null,
  };
}

const decoded = ({ columns }: Shape, name: string): string =>
  columns[name]?.decode?.(`n.${name}`) ?? `n.${name}`;

const unnest = (parameters: readonly Parameter[]): string => {
  const arrays = parameters.map(({ element }, index) => `$${index + 1}::${element}[]`);
  return `unnest(${arrays.join(', ')}) as n (${parameters.map(({ name }) => name).join(', ')})`;
};

const sameAs = (names: readonly string[]): string =>
  names.map((name) => `t.${name} = n.${name}`).join(' and ');

/** Postgres distinguishes prepared statements by this many bytes of their names. */
const MAX_NAME = 63;

/** Returns a name that is unique to the statement: it has the columns where they are not the usual ones. */
function nameOf(
  { name: table }: Shape,
  verb: string,
  names: readonly string[],
  usual: readonly string[],
): string {
  const columns = names.join('_') === usual.join('_') ? [] : names;
  const name = [table, verb, ...columns].join('_');
  if (name.length <= MAX_NAME) return name;
  const digest = createHash('sha256').update(columns.join()).digest('hex').slice(0, 12);
  return [table, verb, digest].join('_');
}
