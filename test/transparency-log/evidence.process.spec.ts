import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TransparencyLog } from '#operations/transparency-log/index.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { failureOf } from '../support/failure.ts';
import { startedDatabase } from '../support/started-database.ts';
import { ChangeableLog, eventsUpTo } from './changes.ts';

describe('Evidence about the log', function () {
  this.timeout(60_000);
  let db: Database;
  let folder: string;
  const log = new ChangeableLog([]);
  const problems: string[] = [];

  before(async () => {
    db = openDatabase({ url: await startedDatabase(), max: 4, applicationName: 'test', shortReads: true });
    folder = await mkdtemp(join(tmpdir(), 'rookery-evidence-'));
    await db.query(`insert into durable.subject_keys (subject, wrapped) values ('1', 'a key')`);
  });
  beforeEach(async () => {
    await db.query(
      'truncate durable.log_subtrees, durable.log_tiles, durable.log_checkpoints, durable.log_verifications',
    );
    await rm(file(), { force: true });
    problems.length = 0;
  });
  after(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const file = (): string => join(folder, 'kept', 'log-checkpoint');
  const history = (verifyHours = 24): TransparencyLog =>
    new TransparencyLog({
      db,
      store: log,
      origin: 'log.example',
      seed: Buffer.alloc(32, 7),
      checkpointFile: file(),
      verifyHours,
      onProblem: (problem) => problems.push(problem),
    });
  const grownTo = async (...sizes: number[]): Promise<void> => {
    for (const size of sizes) {
      log.events = eventsUpTo(size);
      await history().record();
    }
  };
  const problem = async (): Promise<string | undefined> => (await history().verify([], undefined)).problem;

  describe('in the numbers of stored checkpoints', () => {
    it('shows one that was deleted', async () => {
      await grownTo(10, 20, 30);
      expect(await problem()).to.equal(undefined);
      await db.query('delete from durable.log_checkpoints where tree_size = 20');
      expect(await problem()).to.equal(
        'The stored checkpoint number 2 was deleted; the next one is number 3',
      );
    });

    it('shows one whose number or time was changed', async () => {
      await grownTo(10, 20, 30);
      await db.query('delete from durable.log_checkpoints where tree_size = 20');
      await db.query('update durable.log_checkpoints set number = 2 where number = 3');
      expect(await problem()).to.equal('The stored checkpoint number 2 was changed');
    });
  });

  describe('in the file', () => {
    it('is the newest checkpoint', async () => {
      await grownTo(10, 20);
      expect(await readFile(file(), 'utf8')).to.equal(await history().newest());
    });

    it('shows that the end of the log was cut off with its checkpoints, and nothing more is signed', async () => {
      await grownTo(10, 20, 30);
      log.events = eventsUpTo(20);
      await db.query('delete from durable.log_checkpoints where tree_size > 20');
      expect(await problem()).to.match(/^The log ends after 20 events.*the checkpoint of 30 events/);
      expect(await failureOf(history().record())).to.equal('conflict');
      log.events = eventsUpTo(40).map((event, index) => (index < 20 ? event : { ...event, type: 'Other' }));
      expect(await failureOf(history().record())).to.equal('conflict');
    });

    it('shows that stored checkpoints of an unchanged log were deleted', async () => {
      await grownTo(10, 20, 30);
      await db.query('delete from durable.log_checkpoints where tree_size > 10');
      expect(await problem()).to.match(/^The file has a checkpoint of 30 events, and no such or larger one/);
    });

    it('is missed when it is gone, until the operator writes it again', async () => {
      expect(await history().fileProblem()).to.equal(undefined);
      await grownTo(10, 20);
      await rm(file());
      const gone = `The file ${file()} is gone, though the log has checkpoints: rookery log checkpoint writes it again`;
      expect(await history().verify([], undefined)).to.deep.include({ problem: undefined, warnings: [gone] });
      log.events = eventsUpTo(30);
      await history().recordWhenIdle();
      await history().recordLast();
      expect(await history().fileProblem()).to.equal(gone);
      await history().renewCheckpointFile();
      expect(await history().fileProblem()).to.equal(undefined);
      expect(await readFile(file(), 'utf8')).to.equal(await history().newest());
      await grownTo(40);
      expect(await readFile(file(), 'utf8')).to.equal(await history().newest());
      expect(await history().verify([], undefined)).to.deep.include({ problem: undefined, warnings: [] });
    });

    it('is not missed while the first checkpoint is recorded', async () => {
      log.events = eventsUpTo(10);
      const own = history();
      let isDone = false;
      const recording = own.record().finally(() => (isDone = true));
      while (!isDone) expect(await own.fileProblem()).to.equal(undefined);
      await recording;
    });

    it('must be a checkpoint', async () => {
      await grownTo(10);
      await writeFile(file(), 'nonsense');
      expect(await failureOf(history().record())).to.equal('invalid');
    });
  });

  describe('from the background', () => {
    it('finds an old change, which then stands in the check of the log', async () => {
      await grownTo(300, 1_976);
      log.events = eventsUpTo(1_976).map((event, index) => (index === 100 ? { ...event, type: 'X' } : event));
      await history().assertUnaltered();
      await history().verifyWhenDue();
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(
        /^The events at positions \d+ to \d+ are not those of the checkpoint of 300/,
      );
      expect(await failureOf(history().assertUnaltered())).to.equal('conflict');
      log.events = eventsUpTo(1_976);
      expect(await problem()).to.equal(undefined);
      await history().assertUnaltered();
    });

    it('comes once in the time of the settings, and never when it is turned off', async () => {
      await grownTo(10);
      await history().verifyWhenDue();
      const first = (await history().verification())?.finishedAt;
      await history().verifyWhenDue();
      expect((await history().verification())?.finishedAt).to.equal(first);
      await db.query(`update durable.log_verifications set finished_at = now() - interval '25 hours'`);
      const old = (await history().verification())?.finishedAt;
      await history(0).verifyWhenDue();
      expect((await history().verification())?.finishedAt).to.equal(old);
      await history().verifyWhenDue();
      expect((await history().verification())?.finishedAt).not.to.equal(old);
    });

    it('is interrupted when the process stops', async () => {
      await grownTo(1_000);
      const stopping = history();
      const verifying = stopping.verifyWhenDue();
      setTimeout(() => stopping.interrupt(), 20);
      await verifying;
      expect(await history().verification()).to.equal(undefined);
    });
  });
});
