import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readManifest } from '#operations/backup/index.ts';
import { CLEAR } from '#operations/backup/tables.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { inTurn, rookeryBeside } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { describeTown } from '../support/people.ts';

const ENDPOINT = 'https://push.example/endpointcanary';
const ROW = 'rowcanary@far.example';
const IP = '203.0.113.77';
const MAIL = 'mailcanary@example.org';
const CANARIES = [ENDPOINT, ROW, IP, MAIL];

/** Selects the rows that must not be legible in a backup. */
const STORED = {
  endpoint: 'select endpoint as value from durable.push_subscriptions',
  row: 'select value from durable.import_rows',
  ip: `select ip as value from durable.account_addresses where ip = '${IP}'`,
  attempt: `select domain as value from durable.refused_sign_ups`,
};

describeTown('The rows in a backup', function (town) {
  this.timeout(180_000);
  let folder: string;
  let dir: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-sealed-'));
    dir = join(folder, 'backup');
    const alice = await town.person('alice');
    await town.waitUntilIdle();
    const { db } = town.app;
    await db.query(
      `insert into durable.push_subscriptions
         (access_token_id, account_id, endpoint, p256dh, secrets, standard, alerts, policy)
       select id, account_id, $1, 'p256dh', '\\x00', true, '{mention}', 'all'
       from durable.access_tokens where account_id = $2 limit 1`,
      [ENDPOINT, alice.id],
    );
    await db.query(
      `insert into durable.imports (id, account_id, type, overwrite, total) values (7, $1, 'following', false, 1)`,
      [alice.id],
    );
    await db.query(`insert into durable.import_rows values (7, 1, $1, $1, null, '{}', null)`, [ROW]);
    await db.query(`insert into durable.account_addresses values ($1, $2, now())`, [alice.id, IP]);
    await db.query(`insert into durable.refused_sign_ups values ('refused.example', now(), 'digest', 1)`);
    const { jobs } = town.app.contextDependencies.services;
    await jobs.enqueue('later', { to: MAIL }, { after: 3_600 });
    const made = await rookeryBeside(town.app, 'backup', dir, '--no-media');
    expect(made.code, made.stderr).to.equal(0);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Returns the text of the files as it is without keys: unpacked, and once more where a line is packed in base64. */
  async function legible(): Promise<string> {
    const files = (await readdir(dir)).filter((name) => name !== 'media');
    const texts = await Promise.all(
      files.map(async (name) => {
        const bytes = await readFile(join(dir, name));
        const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
        const inner = text.split('\n').map((line) => Buffer.from(line, 'base64'));
        return [text, ...inner.map(String), ...inner.map(unpacked)].join('\n');
      }),
    );
    return texts.join('\n');
  }
  const unpacked = (bytes: Buffer): string => {
    try {
      return gunzipSync(bytes).toString();
    } catch {
      return '';
    }
  };

  it('are sealed, so that no endpoint, row of an import or address is in its bytes', async () => {
    const text = await legible();
    expect(text).to.include('"wrapped"');
    for (const canary of CANARIES) expect(text, canary).not.to.include(canary);
    const { tables, jobs, format } = await readManifest(dir);
    expect([format, jobs.sealed]).to.deep.equal([2, true]);
    expect(
      tables
        .filter(({ sealed }) => sealed !== true)
        .map(({ name }) => name)
        .sort(),
    ).to.deep.equal(
      Object.keys(CLEAR)
        .map((name) => `${name}.ndjson.gz`)
        .sort(),
    );
    const verified = await rookeryBeside(town.app, 'backup', 'verify', dir);
    expect(verified, verified.stderr).to.include({ code: 0 });
  });

  it('are there again after a restore', async () => {
    const url = await freshDatabase();
    const settings = {
      DATA_DIR: await mkdtemp(join(folder, 'machine-')),
      DATABASE_URL: url,
      LOCAL_DOMAIN: town.app.config.site.localDomain,
    };
    const done = await inTurn(['restore', dir, '--no-erasures'], settings);
    expect(done.code, done.stderr).to.equal(0);
    const there = openDatabase({ url, max: 1, applicationName: 'spec' });
    const values = async (sql: string, db = there): Promise<unknown> => db.query(sql);
    for (const [name, sql] of Object.entries(STORED)) {
      const rows = await values(sql);
      expect(rows, name).to.have.length(1);
      expect(rows, name).to.deep.equal(await town.app.db.query(sql));
    }
    expect(await values(`select data from jobs.job where name = 'later'`)).to.deep.include({
      data: { to: MAIL },
    });
    await there.close();
  });
});
