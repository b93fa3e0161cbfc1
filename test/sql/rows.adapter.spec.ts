import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { READ_MODELS } from '#storage/postgres/db.ts';
import { createProgress } from '#storage/postgres/rebuild/build-progress.ts';
import { filesIn, ROOT, textOf } from '../../scripts/lib/imports.ts';
import { statementsOf } from '../../scripts/lib/statements.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { startedDatabase } from '../support/started-database.ts';
import { type AnsweredColumn, describer } from './rows/describe.ts';
import { differences } from './rows/differences.ts';
import type { Declared } from './rows/recording-read.ts';
import { rowTypes, type TypedColumns } from './rows/row-types.ts';

const ROOMS = ['src', 'commands', 'queries', 'projections'];
/** Calls that declare statements, in files that a server loads. */
const DECLARES = /\b(?:statement|keysetStatement|ownList|batch|table)[<(]/;
const files = filesIn(...ROOMS).filter((file) => DECLARES.test(textOf(file)));

describe('The statements of the code', function () {
  this.timeout(180_000);
  let declared: readonly Declared[];
  let columnsOf: (statement: Declared) => TypedColumns | undefined;
  let client: pg.Client;
  let describeText: (text: string) => Promise<AnsweredColumn[]>;

  before(async () => {
    declared = await declaredIn(files);
    columnsOf = rowTypes([...new Set(declared.flatMap(({ calls }) => calls.map(({ file }) => file)))]);
    client = new pg.Client({
      connectionString: await startedDatabase(),
      options: `-c search_path=${READ_MODELS},durable,public`,
    });
    await client.connect();
    await createProgress({ query: async (text) => (await client.query(text as string)).rows }, READ_MODELS);
    describeText = await describer(client);
  });
  after(() => client.end());

  it('are all declared when their files are loaded, so that this spec sees them', () => {
    const names = new Set(declared.map(({ name }) => name));
    const unseen = files
      .flatMap((file) => statementsOf(file).map(({ name }) => name))
      .filter((name) => /^\w+$/.test(name) && !names.has(name) && !names.has(`${name}_desc`));
    expect(unseen).to.deep.equal([]);
    expect(names.size).to.be.above(1_000);
  });

  it('have rows of the type that Postgres describes', async () => {
    const found: string[] = [];
    for (const statement of declared) {
      for (const difference of await differencesOf(statement))
        found.push(`statement ${titleOf(statement)}: ${difference}`);
    }
    expect(found, 'Correct the type in `statement<Row>(...)`, or the text').to.deep.equal([]);
  });

  async function differencesOf(statement: Declared): Promise<string[]> {
    const typed = columnsOf(statement);
    if (!typed) return ['no call on the way to it says the type of its rows'];
    try {
      return differences(typed, await describeText(statement.text));
    } catch (error) {
      return [`Postgres refuses it: ${(error as Error).message}`];
    }
  }
});

describe('A comparison of rows with an answer', () => {
  it('names columns of another type, and columns that only one of them has', () => {
    const typed = new Map([
      ['id', { kind: 'number', isOptional: false }],
      ['title', { kind: 'string', isOptional: false }],
      ['note', { kind: 'string', isOptional: true }],
      ['options', { kind: 'string[]', isOptional: false }],
    ]);
    const answered = [
      { name: 'id', type: 'bigint', kind: 'string' },
      { name: 'options', type: 'jsonb', kind: 'any' },
      { name: 'place', type: 'integer', kind: 'number' },
      { name: 'place', type: 'integer', kind: 'number' },
      { name: 'pg_notify', type: 'void', kind: 'string' },
    ];
    expect(differences(typed, answered)).to.deep.equal([
      'the row says id: number, Postgres answers id: string',
      'the row says no place, Postgres answers place: number',
      'Postgres answers place twice',
      'the row says title: string, Postgres answers no title',
    ]);
  });
});

const titleOf = ({ name, calls: [call] }: Declared): string =>
  name === '' && call ? `in ${call.file.slice(ROOT.length + 1)}:${call.line}` : name;

/** Loads files in a process of its own, whose modules are not loaded yet. */
async function declaredIn(names: readonly string[]): Promise<Declared[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'rows/declared.ts'), ...names],
    { cwd: ROOT, env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE }, maxBuffer: 100_000_000 },
  );
  return JSON.parse(stdout) as Declared[];
}
