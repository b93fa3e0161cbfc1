import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { openApp } from '#app/app.ts';
import { recordActivity } from '#commands/accounts/index.ts';
import { eraseAccount } from '#commands/accounts/index.ts';
import { loadConfig } from '#config/config.ts';
import { OPERATOR } from '#kernel/event.ts';
import type { ConsistencyProof, InclusionProof } from '#kernel/services/transparency-log.ts';
import { projections } from '#projections/index.ts';
import { rebuild } from '#storage/postgres/rebuild/rebuild.ts';
import { inTurn, type Result, rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { startedDatabase } from '../support/started-database.ts';
import { continues, includes, leafHash, openCheckpoint, treeHash } from './auditor.ts';

describe('The transparency log over the API', function () {
  this.timeout(90_000);
  let town: Town;
  let folder: string;
  let mod: Person;
  let alice: Person;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-history-'));
    town = await startTown();
    mod = await town.staff('mod', 'Moderator');
    alice = await town.person('alice');
    for (const status of ['one', 'two', 'three']) await alice.post('/api/v1/statuses', { status });
    await town.waitUntilIdle();
  });
  after(async () => {
    await town.close();
    await rm(folder, { recursive: true });
  });

  const wellKnown = (name: string): Promise<Response> => fetch(`${town.url}/.well-known/rookery/${name}`);
  const key = async (): Promise<string> => (await (await wellKnown('key')).text()).trim();
  const opened = async (note: string): Promise<{ origin: string; size: number; root: Buffer }> =>
    openCheckpoint(note, await key()) ?? expect.fail(`Not signed: ${note}`);
  /** Returns the leaf hash of each event from its row in the table, without any of our own code. */
  const leaves = async (): Promise<Buffer[]> => {
    const rows = await town.app.db.query<Record<string, unknown>>(
      'select position, stream, revision, id, type, data, metadata from eventlog.events order by position',
    );
    return rows.map(({ position, stream, revision, id, type, data, metadata }) =>
      leafHash(JSON.stringify({ position, stream, revision, id, type, data, metadata })),
    );
  };

  describe('for everyone', () => {
    it('publishes a signed checkpoint without being asked to', async () => {
      const answer = await eventually(async () => {
        const response = await wellKnown('checkpoint');
        expect(response.status).to.equal(200);
        return response;
      });
      expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=30');
      expect((await opened(await answer.text())).origin).to.equal('rookery.example');
    });

    it('signs the tree of the events in the table', async () => {
      await town.app.transparencyLog.record();
      const { size, root } = await opened(await (await wellKnown('checkpoint')).text());
      const all = await leaves();
      expect(size).to.equal(all.length);
      expect(root.equals(treeHash(all))).to.equal(true);
    });

    it('is described as plain text in the OpenAPI document', async () => {
      const { json } = await town.nobody.get<{ paths: Record<string, { get: { responses: object } }> }>(
        '/api/openapi.json',
      );
      for (const name of ['checkpoint', 'key']) {
        const { responses } = json.paths[`/.well-known/rookery/${name}`]!.get;
        expect(responses).to.have.nested.property('200.content.text/plain; charset=utf-8');
      }
    });
  });

  describe('for staff', () => {
    it('proves that every event is included', async () => {
      await town.app.transparencyLog.record();
      const all = await leaves();
      for (const [index, leaf] of all.entries()) {
        const path = `/api/v1/admin/audit/proof?position=${index + 1}`;
        const { status, json: proof } = await mod.get<InclusionProof>(path);
        expect(status).to.equal(200);
        expect(proof).to.include({ position: String(index + 1), leaf_hash: leaf.toString('base64') });
        expect(includes(proof, leaf, (await opened(proof.checkpoint)).root), path).to.equal(true);
      }
    });

    it('proves that the log only grew', async () => {
      const older = await opened(await town.app.transparencyLog.record());
      await alice.post('/api/v1/statuses', { status: 'four' });
      await town.app.transparencyLog.record();
      const { json } = await mod.get<ConsistencyProof>(`/api/v1/admin/audit/consistency?from=${older.size}`);
      const newer = await opened(json.checkpoint ?? '');
      expect(newer.size).to.be.above(older.size);
      expect(json).to.include({ from: older.size, to: newer.size });
      expect(continues(json, older.root, newer.root)).to.equal(true);
      const { json: short } = await mod.get<ConsistencyProof>('/api/v1/admin/audit/consistency?from=1&to=3');
      const all = await leaves();
      expect(continues(short, treeHash(all.slice(0, 1)), treeHash(all.slice(0, 3)))).to.equal(true);
    });

    it('requires permission to see the audit log', async () => {
      const paths = ['/api/v1/admin/audit/proof?position=1', '/api/v1/admin/audit/consistency?from=1'];
      const narrow = await mod.withScopes('read', 'admin:read:accounts');
      const plain = await alice.withScopes('read', 'admin:read');
      for (const path of paths) {
        const answers = await Promise.all([town.nobody, narrow, plain, mod].map((who) => who.get(path)));
        expect(
          answers.map(({ status }) => status),
          path,
        ).to.deep.equal([403, 403, 403, 200]);
      }
    });

    it('refuses invalid parameters', async () => {
      const wrong: [string, number][] = [
        ...['proof', 'consistency'].map((path): [string, number] => [path, 400]),
        ...['proof?position=', 'proof?position=x', 'proof?position=-1', 'proof?position[]=1'].map(
          (path): [string, number] => [path, 422],
        ),
        ...['proof?position=99999999999999999999', 'consistency?from=0'].map((path): [string, number] => [
          path,
          422,
        ]),
        ...['consistency?from=9223372036854775807', 'consistency?from=3&to=2', 'consistency?from=1&to=x'].map(
          (path): [string, number] => [path, 422],
        ),
        ['proof?position=0', 404],
        ['proof?position=9223372036854775807', 404],
      ];
      for (const [path, status] of wrong) {
        const { status: got, json } = await mod.get<{ error: string }>(`/api/v1/admin/audit/${path}`);
        expect(got, path).to.equal(status);
        expect(json.error, path).not.to.contain('/^');
      }
    });
  });

  it('does not change when personal data is erased', async () => {
    const { app } = town;
    const eve = await town.person('eve');
    await eve.post('/api/v1/statuses', { status: 'forget me' });
    await town.waitUntilIdle();
    const before = await app.transparencyLog.record();
    await app.contextDependencies.services.personalData.erase(eve.id);
    expect(await app.transparencyLog.record()).to.equal(before);
    const beside = await app.transparencyLog.verify([], undefined);
    expect(beside).to.include({ uncovered: 0 });
    expect(beside.problem).to.match(
      new RegExp(`^The key of ${eve.id} is missing, but the log has no erasure: personal fields cannot`),
    );
    await eraseAccount(app.systemContext(OPERATOR), eve.id, undefined);
    expect(await app.transparencyLog.verify([], undefined)).to.include({ problem: undefined });
    await town.waitUntilIdle();
    // Read models show erased data until they are rebuilt.
    await rebuild({ projections, log: app.log, db: app.projectionDb });
  });

  it('is brought up to date when the process stops', async () => {
    const settings = { DATA_DIR: folder, DATABASE_URL: await startedDatabase(), LOCAL_DOMAIN: 'log.example' };
    const app = await openApp(loadConfig(settings), pino({ level: 'silent' }));
    try {
      const reactors = await app.startReactors();
      await eventually(() => app.transparencyLog.newest());
      await recordActivity(app.systemContext('spec'), '1');
      await reactors.stop();
      expect((await app.transparencyLog.newest()).split('\n').slice(0, 2)).to.deep.equal([
        'log.example',
        '1',
      ]);
    } finally {
      await app.close();
    }
  });

  describe('on the command line', () => {
    const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, 'log', ...args);
    /** Runs a command without the database and the keys of this server. */
    const elsewhere = (...args: string[]): Promise<Result> =>
      inTurn(['log', ...args], {
        DATA_DIR: join(folder, 'nothing'),
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      });
    let kept: string;
    let exported: string;
    before(() => {
      kept = join(folder, 'kept.txt');
      exported = join(folder, 'export.ndjson');
    });

    it('signs checkpoints, exports the log, and verifies it without the database', async () => {
      const made = await rookery('checkpoint');
      expect(made).to.include({ code: 0, stderr: '' });
      const { size } = await opened(made.stdout);
      await writeFile(kept, made.stdout);
      const [written, proven, grown] = await Promise.all([
        rookery('export', '--output', exported),
        rookery('prove', '2'),
        rookery('consistency', '1', '3'),
      ]);
      expect(written).to.deep.equal({ code: 0, stdout: '', stderr: '' });
      const { leaf, ...proof } = JSON.parse(proven.stdout) as InclusionProof & { leaf: string };
      expect(includes(proof, leafHash(leaf), (await opened(proof.checkpoint)).root)).to.equal(true);
      const all = await leaves();
      const growth = JSON.parse(grown.stdout) as ConsistencyProof;
      expect(continues(growth, treeHash(all.slice(0, 1)), treeHash(all.slice(0, 3)))).to.equal(true);

      const offline = ['verify', '--file', exported, '--checkpoint', kept];
      const good = await elsewhere(...offline, '--key', await key());
      expect(good, good.stderr).to.include({ code: 0, stderr: '' });
      expect(good.stdout).to.match(
        new RegExp(`^Agrees: .*\nUnaltered: ${size} events, root .{44}, 1 checkpoint\\(s\\) agree\n$`),
      );
      const lines = (await readFile(exported, 'utf8')).replace('StatusCreated', 'StatusCreatec');
      await writeFile(exported, lines);
      const [bad, keyless] = await Promise.all([
        elsewhere(...offline, '--key', await key()),
        elsewhere(...offline),
      ]);
      expect(bad.code).to.equal(2);
      expect(bad.stdout).to.match(/^Contradicts: the checkpoint of \d+ events .*\n$/);
      expect(bad.stderr).to.match(
        /^The events at positions 1 to \d+ are not those of the checkpoint of \d+ events/,
      );
      expect(keyless.stderr).to.match(/^Say by --key whose log it is/);
    });

    it('detects a change in the database', async () => {
      const { db } = town.app;
      const verified = await rookery('verify', '--checkpoint', kept);
      expect(verified, verified.stderr).to.include({ code: 0 });
      expect(verified.stdout).to.match(/^Unaltered: \d+ events, root .{44}, \d+ checkpoint\(s\) agree/m);
      const [event] = await db.query<{ type: string }>('select type from eventlog.events where position = 3');
      const rename = (type: string) =>
        db.query('update eventlog.events set type = $1 where position = 3', [type]);
      await rename('Nothing');
      try {
        const { code, stdout, stderr } = await rookery('verify', '--checkpoint', kept);
        expect(code).to.equal(2);
        expect(stdout).to.match(/^Contradicts: the checkpoint of \d+ events .*\n$/);
        expect(stderr).to.match(
          /The events at positions \d+ to \d+ are not those of the checkpoint of \d+ events/,
        );
      } finally {
        await rename(event!.type);
      }
    });
  });
});
