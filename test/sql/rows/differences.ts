import type { AnsweredColumn } from './describe.ts';
import type { TypedColumns } from './row-types.ts';

/** Columns that no code reads: those without a name, and the answers of functions that return nothing. */
const isUnread = ({ name, type }: AnsweredColumn): boolean => name === '?column?' || type === 'void';

/** Says where the type of rows differs from the columns of the answer. Null is not compared: Postgres does not say it. */
export function differences(typed: TypedColumns, answered: readonly AnsweredColumn[]): string[] {
  const read = answered.filter((column) => !isUnread(column));
  const names = new Set(read.map(({ name }) => name));
  return [
    ...read.flatMap((column, index) => ofAnswer(typed, column, read.slice(0, index))),
    ...[...typed]
      .filter(([name, { isOptional }]) => !isOptional && !names.has(name))
      .map(([name, { kind }]) => `the row says ${name}: ${kind}, Postgres answers no ${name}`),
  ];
}

function ofAnswer(
  typed: TypedColumns,
  { name, kind }: AnsweredColumn,
  before: readonly AnsweredColumn[],
): string[] {
  if (before.some((column) => column.name === name)) return [`Postgres answers ${name} twice`];
  const said = typed.get(name)?.kind;
  if (said === undefined) return [`the row says no ${name}, Postgres answers ${name}: ${kind}`];
  const fits = said === kind || said === 'any' || kind === 'any';
  return fits ? [] : [`the row says ${name}: ${said}, Postgres answers ${name}: ${kind}`];
}
