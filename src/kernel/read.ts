/**
 * A named SQL statement: prepared once per connection under its name, which must be unique to its text. Under the empty name it
 * is prepared and planned each time.
 */
export interface Statement<Row = unknown> {
  name: string;
  text: string;
  /** The type of its rows, which exists only for the compiler. */
  readonly rows?: Row;
  /** The read models whose rows may be those of an earlier time, so that the statement runs while they are halted. */
  despite?: readonly string[];
}

/** Postgres as queries and projections see it. bigint and numeric values arrive as strings. */
export interface Db {
  query<Row>(statement: Statement<Row> | string, values?: readonly unknown[]): Promise<Row[]>;
  /** How many connections were made so far, where it has several: rises when the database was away. */
  connections?: (() => number) | undefined;
  /** Where it shows the past: the moment that is now there, ISO 8601. SQL's `now()` is that moment as well. */
  moment?: string | undefined;
  /**
   * Resolves when queries see what the context that owns this database wrote before; undefined when they already do. `query` calls it.
   */
  ready?: () => Promise<void> | undefined;
  /** The shared database behind the one of a context. Caches and batches are kept per source. */
  source?: Db;
}

/** Returns the database that caches and batches are kept by: the same object for all contexts of a process. */
export const sourceOf = (db: Db): Db => db.source ?? db;

/** The moment of a request for this database, in milliseconds since 1970. */
export const momentOf = ({ moment }: Db): number => (moment === undefined ? Date.now() : Date.parse(moment));

/** Declares a named statement, with the type of its rows where it returns some. */
export const statement = <Row = never>(name: string, text: string): Statement<Row> => ({ name, text });

/** Lets a statement run while read models are halted: it then finds their rows of an earlier time. */
export const despite = <Row>(names: readonly string[], asked: Statement<Row>): Statement<Row> => ({
  ...asked,
  despite: names,
});
