import pg from 'pg';

/** The method by which pg sends the text of a statement to Postgres, which its types omit. */
interface Connection {
  parse(statement: { name?: string; text: string }, ...more: unknown[]): void;
}

/**
 * Returns the texts of the named statements that this process sends to Postgres during `work`, by name. A
 * connection sends a text once, so connections that were open before send nothing new.
 */
export async function recordSql(work: () => Promise<void>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const connection = pg.Connection.prototype as unknown as Connection;
  const { parse } = connection;
  connection.parse = function (statement, ...more) {
    if (statement.name) texts.set(statement.name, statement.text);
    parse.call(this, statement, ...more);
  };
  try {
    await work();
  } finally {
    connection.parse = parse;
  }
  return texts;
}
