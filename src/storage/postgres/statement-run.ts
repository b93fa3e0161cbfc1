import pg from 'pg';
import type { Statement } from '#kernel/read.ts';
import { parameter } from './parameters.ts';

/** The abilities of pg's connections that its types omit. */
interface Connection extends Pick<pg.Connection, 'stream'> {
  /** The texts, by name, of statements that are prepared on the connection or about to be. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  describe(what: { type: 'S'; name: string }): void;
  bind(values: { statement: string; values: unknown[] }): void;
  execute(): void;
  sync(): void;
}
/** A column of the result, in order. */
interface Column {
  name: string;
  parse: (text: string) => unknown;
}
interface Answer {
  columns: readonly Column[];
  /** An empty row: copies of it share their shape, which is faster than adding one member after another. */
  empty: Readonly<Record<string, null>>;
}

const NOTHING: Answer = { columns: [], empty: {} };
/** The result columns of the named statements of each connection: Postgres describes them once. */
const answers = new WeakMap<Connection, Map<string, Answer>>();

/**
 * One statement on its way: how it is sent, and how its rows are read. A named statement is prepared and
 * described on its first use of a connection; after that only values are sent and rows come back. pg's own
 * query asks for the description each time, which costs both sides more than short rows do.
 */
export class StatementRun implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly rows: Record<string, unknown>[] = [];
  /** Called once. pg's pool passes it on, hence the form of the second argument. */
  callback: ((error: Error | null, result?: { rows: unknown[] }) => void) | undefined;
  readonly #values: unknown[];
  readonly #asked: string | Statement;
  #answer: Answer | undefined;
  #answers: Map<string, Answer> | undefined;

  /** @throws Error for values that cannot be sent */
  constructor(statement: string | Statement, values: readonly unknown[] = []) {
    this.#asked = statement;
    this.name = typeof statement === 'string' ? '' : statement.name;
    this.text = typeof statement === 'string' ? statement : statement.text;
    this.#values = values.map(parameter);
    if (this.name !== '') assertUnique(this.name, this.text);
  }

  /** Sends it alone, as pg calls it. */
  submit = (connection: pg.Connection): Error | null => {
    sendTogether([this], connection);
    return null;
  };

  /** Sends it without a Sync: Postgres holds the answer back until one comes. */
  send(asConnection: pg.Connection): void {
    const connection = asConnection as unknown as Connection;
    const { name, text } = this;
    this.#answers = answersOn(connection);
    if (!isPrepared(connection, name)) {
      connection.parse({ name, text });
      if (name !== '') connection.submittedNamedStatements[name] = text;
    }
    this.#answer = name === '' ? undefined : this.#answers.get(name);
    if (!this.#answer) connection.describe({ type: 'S', name });
    connection.bind({ statement: name, values: this.#values });
    connection.execute();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    this.#describe({ columns, empty: Object.fromEntries(fields.map(({ name }) => [name, null])) });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns, empty } = (this.#answer ??= this.#answers?.get(this.name)) ?? NOTHING;
    // When objects of many shapes are copied, V8 takes less than half as long as for a spread.
    const row: Record<string, unknown> = Object.assign({}, empty);
    for (let index = 0; index < columns.length; index += 1) {
      const { name, parse } = columns[index] as Column;
      const value = fields[index];
      if (value != null) row[name] = parse(value);
    }
    this.rows.push(row);
  }

  handleCommandComplete(): void {
    if (!this.#answers?.has(this.name)) this.#describe(this.#answer ?? NOTHING);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handlePortalSuspended(): void {
    // Never asked for.
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this);
  }

  handleError(error: Error, connection?: pg.Connection): void {
    // This run failed or was skipped, so it did not prepare the statement.
    if (connection) delete (connection as unknown as Connection).submittedNamedStatements[this.name];
    this.callback?.(error);
  }

  #describe(answer: Answer): void {
    this.#answer = answer;
    if (this.name !== '') this.#answers?.set(this.name, answer);
    if (answer === NOTHING && typeof this.#asked !== 'string') rowless.add(this.#asked);
  }
}

/** Tells whether Postgres has described the statement, on any connection, as one without rows. */
export const givesNoRows = (asked: string | Statement): boolean =>
  typeof asked !== 'string' && rowless.has(asked);

const rowless = new WeakSet<Statement>();

/** Sends all in one write with one Sync, after which Postgres sends all answers. */
export function sendTogether(runs: readonly StatementRun[], connection: pg.Connection): void {
  const { stream } = connection;
  stream.cork();
  try {
    for (const run of runs) run.send(connection);
    (connection as unknown as Connection).sync();
  } finally {
    stream.uncork();
  }
}

const texts = new Map<string, string>();

/** Another statement under the same name would run in place of this one. */
function assertUnique(name: string, text: string): void {
  const known = texts.get(name);
  if (known === undefined) texts.set(name, text);
  else if (known !== text) throw new Error(`Two statements have the name ${name}`);
}

function answersOn(connection: Connection): Map<string, Answer> {
  const known = answers.get(connection);
  if (known) return known;
  const made = new Map<string, Answer>();
  answers.set(connection, made);
  return made;
}

const isPrepared = ({ parsedStatements, submittedNamedStatements }: Connection, name: string): boolean =>
  name !== '' && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;

const BIGINT = 20;
const TIMESTAMPTZ = 1184;
const PARSERS: Record<number, ((text: string) => unknown) | undefined> = {
  [BIGINT]: (text) => text,
  [TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};

const builtIn = pg.types.getTypeParser as (oid: number, format: 'text') => (text: string) => unknown;

/** Returns the parser of a type: timestamps become ISO 8601 strings, bigint and numeric decimal strings. */
export const parserOf = (oid: number): ((text: string) => unknown) => PARSERS[oid] ?? builtIn(oid, 'text');
