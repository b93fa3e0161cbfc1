import type { Db, Statement } from '../read.ts';
import type { Batch } from './sql.ts';

type Omittable<Row> = { [Name in keyof Row]: undefined extends Row[Name] ? Name : never }[keyof Row];
/** A row whose columns with null may be absent. */
type Given<Row> = Pick<Row, Exclude<keyof Row, Omittable<Row>>> & Partial<Pick<Row, Omittable<Row>>>;
type MemberOf<Some> = Some extends unknown ? keyof Some : never;
/** The members that a row passes on from an event: the statement does not write them. */
type PassedOn<Event> = MemberOf<Event> | (Event extends { data: infer Data } ? MemberOf<Data> : never);
/** Refuses rows whose type lacks a column: a misspelt name would otherwise be an absent value. */
type Knows<Some, Row> = keyof Row extends keyof Some ? unknown : { missing: Exclude<keyof Row, keyof Some> };
/** As `Knows`; refuses also rows with a member that the statement does not write, except those of `Further`. */
type Only<Some, Row, Further = never> = [Exclude<MemberOf<Some>, keyof Row | Further>] extends [never]
  ? Knows<Some, Row>
  : { unknown: Exclude<MemberOf<Some>, keyof Row | Further> };

/** A statement with its values. */
type Asked = readonly [statement: Statement, values: readonly unknown[]];

/** Writes for a run of events, as the `apply` of a handler. */
export interface Step<Event> {
  (events: readonly Event[], db: Db): Promise<void>;
  /** Returns the statements for these events. */
  asks: (events: readonly Event[]) => readonly Asked[];
}

/** Writes a batch of rows by one statement, or by none if there are no rows. */
export interface Write<Row> {
  <Some extends Given<Row>>(rows: readonly Some[] & Only<Some, Row>, db: Db): Promise<void>;
  /** Writes rows that are made for other statements as well, or payloads: they may have further members. */
  from: <Some extends Given<Row>>(rows: readonly Some[] & Knows<Some, Row>, db: Db) => Promise<void>;
  statement: Statement;
  /** Returns the step that writes the rows of each event. They may have further members as far as the event has them. */
  each: <Event, Some extends Given<Row>>(
    rowsOf: (event: Event) => (Some | readonly Some[]) & Only<Some, Row, PassedOn<Event>>,
  ) => Step<Event>;
}

/** Returns the write of a batch. */
export function writeOf<Row>({ statement, parameters }: Batch): Write<Row> {
  const asked = (rows: readonly object[]): readonly Asked[] =>
    rows.length === 0
      ? []
      : [[statement, parameters.map(({ of }) => (rows as Record<string, unknown>[]).map(of))]];
  const write = async (rows: readonly object[], db: Db): Promise<void> => ask(asked(rows), db);
  const each = <Event>(rowsOf: (event: Event) => object | readonly object[]): Step<Event> =>
    stepOf((events) => asked(events.flatMap(rowsOf)));
  return Object.assign(write, { from: write, statement, each });
}

/** Returns the step that takes these steps, and statements without values, in order and in one round trip. */
export const together = <Event>(...steps: readonly (Step<Event> | Statement)[]): Step<Event> =>
  stepOf((events) =>
    steps.flatMap((step) => ('asks' in step ? step.asks(events) : [[step, []] satisfies Asked])),
  );

const stepOf = <Event>(asks: Step<Event>['asks']): Step<Event> =>
  Object.assign(async (events: readonly Event[], db: Db) => ask(asks(events), db), { asks });

async function ask(asked: readonly Asked[], db: Db): Promise<void> {
  await Promise.all(asked.map(([statement, values]) => db.query(statement, values)));
}
