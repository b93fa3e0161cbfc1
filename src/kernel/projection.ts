import type { EventDefinition, RecordedEvent } from './event.ts';
import { type Db, type Statement, statement } from './read.ts';

/**
 * How a projection takes the events of one type: a run of them at once, in a few statements.
 *
 * Events are handed over in log order, except that events with different keys may be swapped, so that one statement
 * can serve many. Two events that share a key never meet in one run unless the handler is `additive` (its effects
 * commute: counters), and never change order. Keys that an event only reads are in order with those that others change, and not
 * among each other. A handler without keys is a barrier: its events run alone and in order.
 */
export interface Handler<Event extends RecordedEvent = RecordedEvent> {
  keys?: (event: Event) => readonly string[];
  /** Keys whose rows it depends on, and leaves as they are. */
  reads?: (event: Event) => readonly string[];
  additive?: boolean;
  apply: (events: readonly Event[], db: Db) => Promise<void>;
}

/** A handler and its type of event. */
export interface BoundHandler {
  type: string;
  handler: Handler;
}

/** Binds a handler to an event of the catalogue, with the event's own payload type. */
export function on<Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  handler: Handler<RecordedEvent<Type, Data>>,
): BoundHandler {
  return { type: definition.type, handler: handler as unknown as Handler };
}

/**
 * A handler that runs statements on the ids of the accounts that its events name (`$1`, a list). A barrier, since rows of those
 * accounts have other keys.
 */
export const onAccounts = <Type extends string, Data extends { account_id: string }>(
  definition: EventDefinition<Type, Data>,
  ...statements: readonly Statement[]
): BoundHandler =>
  on(definition, {
    apply: async (events, db) => {
      const ids = events.map(({ data }) => data.account_id);
      await Promise.all(statements.map((each) => db.query(each, [ids])));
    },
  });

/** Deletes the rows of the accounts of `onAccounts`. The table has a column `account_id`. */
export const deleteRowsOf = ({ name }: OfAccounts): Statement =>
  statement(`${name}_delete_of_accounts`, `delete from ${name} where account_id = any($1::bigint[])`);

interface OfAccounts {
  name: string;
  columns: { account_id: unknown };
}

/**
 * Declares an index for the lists of an account, newest first, of a table whose key begins with the account.
 * Postgres is told that each account has a hundred rows: by the real numbers, mostly one or two, it would use
 * the key instead, and scan thousands of rows of busy accounts.
 */
export const newestOfAccount = (table: string): string[] => [
  `create index ${table}_of_account on ${table} (account_id, id desc)`,
  `alter table ${table} alter account_id set (n_distinct = -0.01)`,
];

/** Returns the payloads of events. */
export const dataOf = <Data>(events: readonly { data: Data }[]): Data[] => events.map(({ data }) => data);

/** Returns members of the events' payloads as arrays, for `unnest`. */
export const columns = <Data, Name extends keyof Data>(
  events: readonly { data: Data }[],
  ...names: readonly Name[]
): Data[Name][][] => names.map((name) => events.map(({ data }) => data[name]));

/**
 * A read model as a value. Rows depend only on the log: no clock, no randomness, no network, no table of another
 * projection. Raising the version makes the next start build the new tables beside the live ones.
 */
export interface Projection {
  name: string;
  version: number;
  /** Projections of one group share a checkpoint and a transaction; endpoints declare the groups that they read. */
  group: string;
  /** Table name to column list, in order of creation. Names are unique over all projections. */
  tables: Record<string, string>;
  /**
   * Indexes that handlers use, besides the keys. They exist from the start, because a rebuild would otherwise
   * scan whole tables.
   */
  handlerIndexes?: readonly string[];
  /** Indexes that only queries use: created with the tables, but last in a rebuild. */
  indexes: readonly string[];
  handlers: readonly BoundHandler[];
  /** For tables that depend on earlier rows of others, such as caches: a build computes them once, at its end. */
  lastState?: LastState;
  /**
   * Queries for the rows that `verify` compares, by table, in place of all rows: for caches whose rows may differ without a
   * difference to readers. `schema` qualifies the tables. The rows have the columns of the primary key.
   */
  compared?: Record<string, (schema: string) => string>;
  /**
   * Digests of the source of handlers that make the same rows, the present one first. Absent where they are not recorded
   * (`projections/digests.txt`).
   */
  handlersDigests?: readonly string[];
}

export interface LastState {
  /** In place of the projection's handlers, until the end of the build. */
  handlers: readonly BoundHandler[];
  /**
   * The end of the build, after which events meet the projection's own handlers. Statements of one step run side by side, in
   * transactions of their own; an interrupted build repeats them.
   */
  finish: readonly (readonly Statement[])[];
}

/** The groups. Each costs one more reader of the log. */
export const MAIN = 'main';
export const HOME = 'home';
export const NOTIFICATIONS = 'notifications';
export const SEARCH = 'search';
