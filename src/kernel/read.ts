/**
 * A named SQL statement: prepared once per connection under its name, which must be unique to its text. Under the empty name it
 * is prepared and planned each time.
 */
export interface Statement {
  name: string;
  text: string;
}

/** What queries and projections see of Postgres. bigint and numeric values arrive as strings. */
export interface Db {
  query<Row>(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>;
  /** How many connections were made so far, where it has several: rises when the database was away. */
  connections?: () => number;
}

/** Declares a named statement. */
export const statement = (name: string, text: string): Statement => ({ name, text });
