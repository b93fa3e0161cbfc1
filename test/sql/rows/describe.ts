import type pg from 'pg';
import { parserOf } from '#storage/postgres/statement-run.ts';

/** The abilities of pg's connections that its types omit. */
interface Connection {
  parse(statement: { name: string; text: string }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
}

interface Field {
  name: string;
  dataTypeID: number;
}

/** A column of an answer: its type in Postgres, and the kind of the values that our parser makes of it. */
export interface AnsweredColumn {
  name: string;
  type: string;
  kind: string;
}

/** Values of the types that statements answer with. */
const SAMPLES: Readonly<Record<string, string>> = {
  bigint: '1',
  'bigint[]': '{1}',
  boolean: 't',
  bytea: '\\x00',
  date: '2026-11-30',
  'double precision': '1.5',
  integer: '1',
  'integer[]': '{1}',
  name: 'name',
  numeric: '1.5',
  oid: '1',
  smallint: '1',
  text: 'text',
  'text[]': '{text}',
  'timestamp with time zone': '2026-11-30 12:00:00+00',
  uuid: '00000000-0000-0000-0000-000000000000',
  xid: '1',
};
/** Types whose values are whatever was stored. */
const ANY = new Set(['json', 'jsonb']);

/**
 * Returns a function that asks for the columns which Postgres would answer a statement with, in order. It throws the error
 * of Postgres for a text that it does not understand.
 */
export async function describer(client: pg.Client): Promise<(text: string) => Promise<AnsweredColumn[]>> {
  const { rows } = await client.query<{ oid: number; name: string }>(
    'select oid::int, oid::regtype::text as name from pg_type',
  );
  const names = new Map(rows.map(({ oid, name }) => [oid, name]));
  return async (text) =>
    (await describe(client, text)).map(({ name, dataTypeID }) => {
      const type = names.get(dataTypeID) ?? String(dataTypeID);
      return { name, type, kind: kindOfColumn(dataTypeID, type) };
    });
}

function kindOfColumn(oid: number, type: string): string {
  const sample = SAMPLES[type];
  if (ANY.has(type)) return 'any';
  return sample === undefined ? `an unknown ${type}` : kindOf(parserOf(oid)(sample));
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return `${kindOf(value[0])}[]`;
  if (Buffer.isBuffer(value)) return 'Buffer';
  return value instanceof Date ? 'Date' : typeof value;
};

const describe = (client: pg.Client, text: string): Promise<readonly Field[]> =>
  new Promise((done, fail) => {
    client.query(new Description(text, (error, fields) => (error ? fail(error) : done(fields))));
  });

/** A statement that is prepared and not run. */
class Description implements pg.Submittable {
  readonly #text: string;
  #fields: readonly Field[] = [];
  readonly #done: (error: Error | undefined, fields: readonly Field[]) => void;

  constructor(text: string, done: (error: Error | undefined, fields: readonly Field[]) => void) {
    this.#text = text;
    this.#done = done;
  }

  submit = (asConnection: pg.Connection): void => {
    const connection = asConnection as unknown as Connection;
    connection.parse({ name: '', text: this.#text });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  };

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields;
  }

  handleReadyForQuery(): void {
    this.#done(undefined, this.#fields);
  }

  handleError(error: Error): void {
    this.#done(error, []);
  }
}
