import { expect } from 'chai';
import type { LogWitnessStates } from '#mastodon/schemas/index.ts';
import { parseCheckpoint } from '#operations/transparency-log/checkpoint.ts';
import { cosigner, parseCosignatureKey } from '#operations/transparency-log/cosignature.ts';
import { Witness } from '#operations/transparency-log/index.ts';
import { leafHash, nodeHash, rootOf } from '#operations/transparency-log/merkle.ts';
import { noteSigner, noteVerifier } from '#operations/transparency-log/note.ts';
import { inMain, signedIn } from '../account-pages/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { ok, startTown, type Town } from '../support/people.ts';

const PREFIX = '/.well-known/rookery/witness';
/** All test servers have the same keys, so both logs have one public key under two names. */
const A = 'a.example';
const B = 'b.example';

/** A log of two or three leaves, signed by a key of its own. */
const log = noteSigner(Buffer.alloc(32, 1));
const ORIGIN = 'log.example';
const KEY = noteVerifier(ORIGIN, log.publicKey).key;
const [one, two, three, other] = ['1', '2', '3', 'x'].map((leaf) => leafHash(leaf)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];
const signed = (size: number | string, root: Buffer, by = log): string =>
  by.sign(`${ORIGIN}\n${size}\n${root.toString('base64')}\n`, ORIGIN);
const pair = nodeHash(one, two);
const triple = nodeHash(pair, three);

describe('A server as a witness', () => {
  let a: Town;
  let b: Town;
  let keyOfA: string;
  before(async () => {
    const first = await startTown({ LOCAL_DOMAIN: A });
    keyOfA = first.app.transparencyLog.verifierKey;
    await first.close();
    const keyOf = (origin: string): string =>
      noteVerifier(origin, Buffer.from(keyOfA.split('+').slice(2).join('+'), 'base64').subarray(1)).key;
    a = await startTown({ LOCAL_DOMAIN: A, LOG_WITNESS_FOR: keyOf(B) });
    b = await startTown({ LOCAL_DOMAIN: B, LOG_WITNESS_FOR: `${keyOf(A)}, ${KEY}` });
    for (const town of [a, b]) {
      await town.person('alice');
      await town.waitUntilIdle();
      await town.app.transparencyLog.record();
    }
  });
  after(async () => {
    await a.close();
    await b.close();
  });

  const witnessAt = async (town: Town) => ({
    url: `${town.url}${PREFIX}/add-checkpoint`,
    key: (await (await fetch(`${town.url}${PREFIX}/key`)).text()).trim(),
  });
  const ask = async (old: number | string, checkpoint: string, hashes: readonly Buffer[] = []) => {
    const lines = [`old ${old}`, ...hashes.map((each) => each.toString('base64')), '', checkpoint];
    const reply = await fetch(`${b.url}${PREFIX}/add-checkpoint`, { method: 'POST', body: lines.join('\n') });
    return [reply.status, await reply.text(), reply.headers.get('content-type')] as const;
  };
  const rows = (town: Town) =>
    town.app.db.query<{ origin: string; is_proven: boolean }>(
      'select origin, is_proven from durable.witnessed_forks order by id',
    );

  it('cosigns the growing log of another server that cosigns its own', async () => {
    for (const [town, witness] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const _ of [1, 2]) {
        await town.app.transparencyLog.record();
        const [outcome] = await town.app.logWitnesses.post([await witnessAt(witness)]);
        expect(outcome?.error).to.equal(undefined);
        await town.person(`person${_}`);
        await town.waitUntilIdle();
      }
      const [cosigned = ''] = await town.app.transparencyLog.cosigned(1);
      const { note, size, origin } = parseCheckpoint(cosigned);
      const verifier = parseCosignatureKey((await witnessAt(witness)).key);
      expect(verifier.find(note)).to.not.equal(undefined);
      const kept = (await witness.app.logWitness.witnessed()).find((each) => each.origin === origin);
      expect(kept?.size).to.equal(size);
    }
    expect((await witnessAt(a)).key).to.not.equal(keyOfA);
  });

  it('answers as the specification says, and keeps what it cosigned', async () => {
    expect((await ask(0, signed(2, pair).replaceAll(ORIGIN, 'unknown.example')))[0]).to.equal(404);
    expect((await ask(0, signed(2, pair, noteSigner(Buffer.alloc(32, 9)))))[0]).to.equal(403);
    const twice = `${signed(2, pair)}${signed(2, other).split('\n\n')[1]}`;
    expect((await ask(0, twice))[0]).to.equal(403);
    expect((await ask(3, signed(2, pair)))[0]).to.equal(400);
    expect((await ask(1, signed(2, pair))).slice(0, 2)).to.deep.equal([409, '0\n']);
    expect((await ask(0, signed(2, pair), [one]))[0]).to.equal(422);
    expect((await ask(0, signed(0, pair)))[0]).to.equal(422);
    expect((await ask(0, signed(0, rootOf([]))))[0]).to.equal(200);
    const [status, line] = await ask(0, signed(2, pair));
    expect(status).to.equal(200);
    const own = parseCosignatureKey((await witnessAt(b)).key);
    expect(own.find(parseCheckpoint(`${signed(2, pair)}${line}`).note)).to.not.equal(undefined);
    expect(await ask(0, signed(3, triple))).to.deep.equal([409, '2\n', 'text/x.tlog.size']);
    expect((await ask(2, signed(2, pair)))[0]).to.equal(200);
    // SHA-256 of the origin.
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(ORIGIN))).toString('hex');
    const kept = await (await fetch(`${b.url}${PREFIX}/${hash}/checkpoint`)).text();
    expect(own.find(parseCheckpoint(kept).note)).to.not.equal(undefined);
    expect((await fetch(`${b.url}${PREFIX}/${'0'.repeat(64)}/checkpoint`)).status).to.equal(404);
    expect(await rows(b)).to.deep.equal([]);
  });

  it('refuses malformed and large requests', async () => {
    const many = Array.from({ length: 64 }, () => one);
    const wrong = [
      await ask('02', signed(2, pair)),
      await ask('', signed(2, pair)),
      await ask(2, signed(3, triple), many),
      await ask(2, signed(3, triple), [Buffer.alloc(31)]),
      await ask(2, 'checkpoint'),
      await ask(2, signed('9'.repeat(20), triple)),
    ];
    expect(wrong.map(([status]) => status)).to.deep.equal([400, 400, 400, 400, 400, 400]);
    expect((await ask(2, 'x'.repeat(70_000)))[0]).to.equal(413);
  });

  it('takes one of several requests at a time for a log', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(2, signed(3, triple), [three])));
    const statuses = replies.map(([status]) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(new Set(statuses)).to.deep.equal(new Set([200, 409]));
  });

  it('refuses a fork, keeps it as evidence, and raises an alert', async () => {
    expect((await ask(3, signed(4, other), [one]))[0]).to.equal(422);
    expect(await rows(b)).to.deep.equal([{ origin: ORIGIN, is_proven: false }]);
    expect((await ask(3, signed(3, nodeHash(pair, other))))[0]).to.equal(422);
    expect(await rows(b)).to.deep.include({ origin: ORIGIN, is_proven: true });
    expect(await b.app.logWitness.openForks()).to.deep.equal([
      { origin: ORIGIN, detail: 'It signed two different checkpoints of 3 events' },
    ]);
    const { services, newId } = b.app.contextDependencies;
    await services.alerts.evaluate(new Date().toISOString(), newId);
    const [alert] = await b.app.db.query<{ subject: string }>(
      `select subject from durable.alerts where name = 'log_forked' and resolved_at is null`,
    );
    expect(alert?.subject).to.equal(ORIGIN);
    const shown = await rookeryBeside(b.app, 'witness', '--evidence');
    expect(shown.stdout).to.include(`${ORIGIN} signed two different checkpoints of 3 events`);
    expect(shown.stdout).to.include(signed(3, nodeHash(pair, other)));
  });

  it('shows staff what it witnesses, and the evidence', async () => {
    const boss = await b.staff('boss', 'Owner');
    const shown = await ok(boss.get<LogWitnessStates>('/api/v1/admin/audit/witnesses'));
    expect(shown.logs.map(({ origin, size }) => [origin, size === null])).to.deep.equal([
      [A, false],
      [ORIGIN, false],
    ]);
    expect(shown.forks.map(({ size, proven }) => [size, proven])).to.deep.equal([
      [3, true],
      [4, false],
    ]);
    const page = await (await signedIn(b.server, 'boss')).open('/admin/checkpoints/witnesses');
    expect(page.status).to.equal(200);
    const headings = inMain(page, 'h2').map(({ text }) => text);
    expect(headings).to.include.members([`Fork of ${ORIGIN}`, `Unproven checkpoint of ${ORIGIN}`]);
  });

  it('finds a log that was rewritten in the database of the other server', async () => {
    const before = await rows(b);
    const { db } = a.app;
    await db.query(
      `update eventlog.events set metadata = replace(metadata, '"correlation_id":"', '"correlation_id":"x')
       where position = 1`,
    );
    await db.query('truncate durable.log_subtrees, durable.log_checkpoints, durable.log_witnesses');
    await a.app.transparencyLog.forgetCheckpointFile();
    await a.app.transparencyLog.record();
    const [outcome] = await a.app.logWitnesses.post([await witnessAt(b)]);
    expect(outcome).to.include({ contradicts: true });
    expect(await a.app.transparencyLog.assertUnaltered().catch((error: Error) => error.message)).to.match(
      /knows another log/,
    );
    expect((await rows(b)).slice(before.length).map(({ origin }) => origin)).to.deep.equal([A]);
  });

  it('finds that the end of the log was cut off in the database of the other server', async () => {
    const { db, transparencyLog, logWitnesses } = b.app;
    const { size } = parseCheckpoint(await transparencyLog.record());
    await logWitnesses.post([await witnessAt(a)]);
    await db.query('create table public.cut as select * from eventlog.events order by position desc limit 3');
    await db.query('delete from eventlog.events where position in (select position from public.cut)');
    await db.query('truncate durable.log_subtrees, durable.log_checkpoints, durable.log_witnesses');
    await transparencyLog.forgetCheckpointFile();
    await transparencyLog.record();
    const [outcome] = await logWitnesses.post([await witnessAt(a)]);
    expect(outcome?.error).to.match(/^It has a checkpoint of \d+ events, and this log has \d+$/);
    expect(outcome).to.include({ contradicts: true });
    expect(parseCheckpoint(await transparencyLog.newest()).size).to.be.lessThan(size);
    await db.query('insert into eventlog.events select * from public.cut');
  });

  it('witnesses no log unless the settings say so', async () => {
    const seed = Buffer.alloc(32, 1);
    const closed = new Witness({ db: b.app.db, seed, origin: B, logs: [] });
    expect(await closed.addCheckpoint(`old 0\n\n${signed(2, pair)}`)).to.include({ status: 404 });
    expect(closed.key).to.not.equal(cosigner(seed, `${B}/witness`).key);
  });
});
