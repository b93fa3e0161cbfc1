import { expect } from 'chai';
import { SEALED_COLUMNS, type SealedColumn } from '#kernel/master-key.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { freshDatabase } from '../support/database.ts';
import { sourcesBelow } from './sources.ts';

/** Columns with bytes that do not depend on the master key: plain hashes, and digests with other keys. */
const INDEPENDENT = [
  ...['access_tokens.code_hash', 'access_tokens.token_hash', 'application_secrets.secret_hash'],
  ...['authorization_codes.code_hash', 'one_time_codes.code_hash', 'sessions.session_hash'],
  ...['sign_in_steps.session_hash', 'idempotency_keys.key_digest', 'link_previews.url_digest'],
  ...[
    'withdrawn.digest',
    'said_last.digest',
    'log_subtrees.hash',
    'log_tiles.hashes',
    'log_checkpoints.digest',
    'witnessed_logs.root',
    'witnessed_forks.root',
  ],
];
/** Digests that a replaced master key computes again. */
const RENEWED = ['access_tokens.grant_digest'];

const HOME = 'src/kernel/master-key.ts';

describe('The uses of the master key', () => {
  let db: Database;

  before(async () => {
    const url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 1, applicationName: 'spec' });
  });
  after(() => db.close());

  it('are declared for every durable column with bytes, or the column does not depend on it', async () => {
    const columns = await db.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'durable' and data_type = 'bytea'`,
    );
    const sealed = Object.values<SealedColumn>(SEALED_COLUMNS).map(
      ({ table, column }) => `${table}.${column}`,
    );
    expect(columns.map(({ name }) => name)).to.have.members([...sealed, ...RENEWED, ...INDEPENDENT]);
  });

  it('name rows by unique columns, so that each value is encrypted again once', async () => {
    for (const { table, id, owner } of Object.values<SealedColumn>(SEALED_COLUMNS)) {
      const unique = await db.query(
        `select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
         where i.indrelid = ('durable.' || $1)::regclass and i.indisunique and i.indnatts = 1 and a.attname = $2`,
        [table, id],
      );
      expect(unique, table).to.have.length(1);
      if (owner) await db.query(`select ${owner.column} from durable.${table} limit 0`);
    }
  });

  it('are in one file, which alone has the bytes of the key', () => {
    const sources = sourcesBelow('src', 'commands', 'queries', 'projections');
    const using = (pattern: RegExp): string[] =>
      sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
    expect(using(/\/kernel\/seal\.ts'/)).to.deep.equal([]);
    const inKernel = sources.filter(
      ({ name, text }) => name.startsWith('src/kernel/') && /'\.\/seal\.ts'/.test(text),
    );
    expect(inKernel.map(({ name }) => name)).to.deep.equal([HOME]);
    expect(using(/\bhkdfSync\b/)).to.have.members([
      HOME,
      // These derive from the seed of the checkpoints, which a replaced master key keeps.
      'src/operations/transparency-log/checkpoint-digest.ts',
      'src/operations/transparency-log/witness.ts',
    ]);
    expect(using(/new MasterKey\(|\bkeptKeys\(/)).to.have.members([
      HOME,
      ...['src/config/keys.ts', 'src/config/key-file.ts'],
    ]);
  });
});
