import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkpointDigest } from '#operations/transparency-log/checkpoint-digest.ts';
import { TransparencyLog } from '#operations/transparency-log/index.ts';
import { leafOf } from '#operations/transparency-log/leaf.ts';
import { noteSigner } from '#operations/transparency-log/note.ts';
import { record, type RecordDependencies } from '#operations/transparency-log/record.ts';
import { storedCheckpoints } from '#operations/transparency-log/stored-checkpoints.ts';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import { type EventStore, NO_STREAM, type StoredEvent } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { aStream, someEvents } from '../contracts/support/events.ts';
import { startEventStoreDbDouble } from '../contracts/support/eventstoredb-double.ts';
import { failureOf } from '../support/failure.ts';
import { startedDatabase } from '../support/started-database.ts';
import { continues, includes, leafHash, openCheckpoint, treeHash } from './auditor.ts';
import { ChangeableLog, CHANGES, dice, eventAt, eventsUpTo } from './changes.ts';

const origin = 'log.example';
const seed = Buffer.alloc(32, 7);

describe('The transparency log', function () {
  this.timeout(60_000);
  let url: string;
  let db: Database;
  before(async () => {
    url = await startedDatabase();
    db = openDatabase({ url, max: 4, applicationName: 'test', shortReads: true });
    await db.query(`insert into durable.subject_keys (subject, wrapped) values ('1', 'a key')`);
  });
  beforeEach(() =>
    db.query(`truncate durable.log_subtrees, durable.log_tiles, durable.log_checkpoints, durable.log_divergences, durable.log_witnesses,
         durable.log_verifications, eventlog.events`),
  );
  after(() => db.close());

  const historyOf = (store: Pick<EventStore, 'readAll' | 'head'>): TransparencyLog =>
    new TransparencyLog({ db, store, origin, seed });
  const recordingOf = (store: ChangeableLog): RecordDependencies => ({
    db,
    store,
    origin,
    signer: noteSigner(seed),
    digestOf: checkpointDigest(seed),
    file: undefined,
  });
  const opened = (note: string, { verifierKey }: TransparencyLog): { size: number; root: Buffer } =>
    openCheckpoint(note, verifierKey) ?? expect.fail(`Not signed: ${note}`);
  const treeOf = (events: readonly StoredEvent[]): Buffer =>
    treeHash(events.map((event) => leafHash(leafOf(event))));
  const problemOf = async (history: TransparencyLog): Promise<string | undefined> =>
    (await history.verify([], undefined)).problem;
  const numberOf = async (table: string): Promise<number> => {
    const [row] = await db.query<{ count: number }>(`select count(*)::int as count from durable.${table}`);
    return row!.count;
  };

  /** Records a log that grows to each of these sizes, with a checkpoint at each. */
  const recorded = async (
    sizes: readonly number[],
  ): Promise<{ log: ChangeableLog; history: TransparencyLog }> => {
    const log = new ChangeableLog([]);
    const history = historyOf(log);
    for (const size of sizes) {
      log.events = eventsUpTo(size);
      await history.record();
    }
    return { log, history };
  };

  it('signs the tree of the stored events, however they were split into runs', async () => {
    const log = new ChangeableLog([]);
    const history = historyOf(log);
    for (const size of [0, 1, 2, 255, 256, 257, 700, 1_024, 1_025]) {
      log.events = eventsUpTo(size);
      const checkpoint = opened(await history.record(), history);
      expect(checkpoint.size).to.equal(size);
      expect(checkpoint.root.equals(treeOf(log.events)), `${size} events`).to.equal(true);
    }
    expect(await numberOf('log_subtrees')).to.equal(4);
  });

  it('detects cheaply that the log contradicts the newest checkpoint', async () => {
    for (const size of [256, 300]) {
      const { log, history } = await recorded([size]);
      log.read = 0;
      await history.assertUnaltered();
      expect(log.read).to.be.at.most(256);
      const fresh = historyOf(log);
      log.events = eventsUpTo(size - 1);
      const cut = await failureOf(fresh.assertUnaltered());
      expect(cut, `${size} events`).to.equal('conflict');
      log.events = eventsUpTo(size);
      await fresh.assertUnaltered();
      await db.query('truncate durable.log_subtrees, durable.log_tiles, durable.log_checkpoints');
    }
  });

  it('finds no contradiction before the first checkpoint', () =>
    historyOf(new ChangeableLog([])).assertUnaltered());

  it('signs an unchanged log once', async () => {
    const { history } = await recorded([3]);
    expect(await history.record()).to.equal(await history.newest());
    expect(await numberOf('log_checkpoints')).to.equal(1);
  });

  it('reads the new events, and less than one chunk of older ones', async () => {
    const { log, history } = await recorded([700]);
    log.read = 0;
    log.events = eventsUpTo(710);
    await history.record();
    // The partial chunk is read three times: to hash it, to compare it with the previous checkpoint, and for its tile.
    expect(log.read).to.be.at.most(3 * (710 - 512));
  });

  it('proves every event and every growth to an auditor, at all levels of the tree', async () => {
    const size = 2 ** 16 + 2 ** 9 + 300;
    const log = new ChangeableLog(eventsUpTo(2 ** 16 + 3));
    const history = historyOf(log);
    const earlier = opened(await history.record(), history);
    log.events = eventsUpTo(size);
    const newest = opened(await history.record(), history);
    for (const index of [0, 1, 255, 256, 40_000, 2 ** 16 - 1, 2 ** 16, 2 ** 16 + 500, size - 300, size - 1]) {
      const proof = await history.proveInclusion(BigInt(index + 1));
      expect(proof).to.include({ leaf_index: index, tree_size: size });
      expect(includes(proof, leafHash(leafOf(eventAt(index))), newest.root), `event ${index}`).to.equal(true);
      expect(includes(proof, leafHash(leafOf(eventAt(index + 1))), newest.root)).to.equal(false);
      expect(JSON.stringify(proof).length).to.be.below(2_048);
    }
    const leaves = log.events.slice(0, 2 ** 16).map((event) => leafHash(leafOf(event)));
    const growth = await history.proveConsistency(earlier.size);
    expect(continues(growth, earlier.root, newest.root)).to.equal(true);
    expect(growth.checkpoint).to.equal(await history.newest());
    for (const [from, to] of [
      [1, 2],
      [256, 300],
      [300, 2 ** 16],
    ] as const) {
      const proof = await history.proveConsistency(from, to);
      const [older, newer] = [from, to].map((count) => treeHash(leaves.slice(0, count)));
      expect(continues(proof, older!, newer!), `${from} to ${to}`).to.equal(true);
      expect(proof.checkpoint).to.equal(null);
    }
  });

  it('refuses to prove events and sizes that do not exist', async () => {
    const { log, history } = await recorded([300]);
    log.events = eventsUpTo(310);
    for (const position of [0n, 311n, 10_000n]) {
      expect(await failureOf(history.proveInclusion(position)), String(position)).to.equal('not_found');
    }
    const beyond = await history.proveEvent(10_000n).catch((error: Error) => error.message);
    expect(beyond).to.match(/^The log has no event at position 10000: it ends at \d+$/);
    expect(await failureOf(history.proveInclusion(305n)), 'an event after the last checkpoint').to.equal(
      'not_found',
    );
    for (const [from, to] of [
      [0, 5],
      [6, 5],
      [1, 301],
      [301, undefined],
    ] as const) {
      expect(await failureOf(history.proveConsistency(from, to)), `${from} to ${to}`).to.equal('invalid');
    }
  });

  it('resumes after an interruption', async () => {
    const log = new ChangeableLog(eventsUpTo(1_000));
    const dependencies = recordingOf(log);
    let pages = 0;
    const dies = record(dependencies, {
      page: 300,
      mayGoOn: () => {
        if ((pages += 1) > 2) throw new Error('killed');
        return true;
      },
    });
    expect(await failureOf(dies)).to.equal('killed');
    expect(await numberOf('log_subtrees')).to.equal(2);
    expect(await numberOf('log_checkpoints')).to.equal(0);
    log.read = 0;
    const history = historyOf(log);
    expect(opened(await history.record(), history).root.equals(treeOf(log.events))).to.equal(true);
    // The tree continues after its chunks; of the tiles, none is stored yet.
    expect(log.read).to.equal(1_000 - 512 + 1_000);
    expect(await problemOf(history)).to.equal(undefined);
  });

  it('hashes a part when it must stop, and the rest later', async () => {
    const log = new ChangeableLog(eventsUpTo(600));
    const dependencies = recordingOf(log);
    expect(await record(dependencies, { page: 256, most: 256 })).to.equal(undefined);
    expect(await record(dependencies, { mayGoOn: () => false })).to.equal(undefined);
    expect(await numberOf('log_checkpoints')).to.equal(0);
    const history = historyOf(log);
    history.interrupt();
    await history.recordWhenIdle();
    expect(opened(await history.newest(), history).size).to.equal(600);
  });

  it('signs the same checkpoint in several processes at the same time', async () => {
    const log = new ChangeableLog(eventsUpTo(900));
    const histories = Array.from({ length: 4 }, () => historyOf(log));
    const notes = await Promise.all(histories.map((history) => history.record()));
    expect(new Set(notes).size).to.equal(1);
    // A run that began earlier and ends later signs no smaller checkpoint.
    let ahead: string | undefined;
    const dependencies = recordingOf(log);
    const late = await record(dependencies, {
      page: 900 - 768,
      mayGoOn: async () => {
        log.events = eventsUpTo(1_300);
        ahead = await histories[0]!.record();
        return true;
      },
    });
    expect(opened(ahead!, histories[0]!).size).to.equal(1_300);
    expect(late).to.equal(ahead);
    expect(await problemOf(histories[1]!)).to.equal(undefined);
  });

  it('signs nothing that contradicts an earlier checkpoint', async () => {
    const { log, history } = await recorded([700]);
    const whole = log.events;
    const wrong = [
      whole.slice(0, 690),
      whole.slice(0, 300),
      [],
      whole.with(600, { ...eventAt(600), data: '{}' }),
      [...whole.toSpliced(650, 1), eventAt(800), eventAt(801)],
    ];
    for (const events of wrong) {
      log.events = events;
      expect(await failureOf(history.record()), `${events.length} events`).to.equal('conflict');
    }
    expect(await numberOf('log_checkpoints')).to.equal(1);
  });

  it('detects any change and names the affected positions', async () => {
    const sizes = [40, 256, 300, 512, 650];
    const { log, history } = await recorded(sizes);
    const whole = log.events;
    expect(await problemOf(history)).to.equal(undefined);
    const roll = dice(1);
    for (const [name, change] of Object.entries(CHANGES)) {
      for (let round = 0; round < 25; round += 1) {
        log.events = change(whole, roll);
        const problem = await problemOf(history);
        expect(problem, `${name}, round ${round}`).to.be.a('string');
        const first = log.events.findIndex((event, n) => leafOf(event) !== leafOf(whole[n]!));
        const named = /events at positions (\d+) to (\d+) are/.exec(problem!);
        if (!named) continue;
        const [from, to] = named.slice(1).map(Number);
        expect(Number(log.events[first]!.position), `${name}: ${problem}`).to.be.within(from!, to!);
        expect(to! - from!, problem).to.be.below(256);
      }
    }
  });

  it('detects a truncation by a checkpoint that an auditor kept, even if the database lost it', async () => {
    const { log, history } = await recorded([100, 120]);
    const kept = { name: 'kept.txt', text: await history.newest() };
    log.events = eventsUpTo(110);
    await db.query('delete from durable.log_checkpoints where tree_size > 100');
    expect(await problemOf(history)).to.equal(undefined);
    const { problem } = await history.verify([kept], undefined);
    expect(problem).to.equal(
      'The log ends after 110 events, at position 110; the checkpoint of 120 events (kept.txt) has 10 more',
    );
    // Writing a new end does not hide the truncation.
    log.events = [
      ...eventsUpTo(110),
      ...Array.from({ length: 15 }, (_, n) => ({ ...eventAt(110 + n), type: 'Other' })),
    ];
    expect((await history.verify([kept], undefined)).problem).to.equal(
      'The events at positions 101 to 120 are not those of the checkpoint of 120 events (kept.txt)',
    );
  });

  it('detects a truncation by the stored hashes, even without a larger checkpoint', async () => {
    const { log, history } = await recorded([100, 600]);
    await db.query('delete from durable.log_checkpoints where tree_size > 100');
    log.events = eventsUpTo(200);
    expect(await problemOf(history)).to.equal('The log ends after 200 events; 312 more were recorded of it');
  });

  it('reports when its own hashes were changed', async () => {
    const { history } = await recorded([700]);
    await db.query(`update durable.log_subtrees set hash = sha256('x') where place = 1`);
    expect(await problemOf(history)).to.equal(
      'The stored hashes of the events at positions 257 to 512 were changed; the log is as it was',
    );
    await db.query('delete from durable.log_subtrees where place = 0');
    expect(await problemOf(history)).to.match(/positions 1 to 256 were changed/);
  });

  it('accepts only checkpoints that it signed itself or that a named key signed', async () => {
    const { log, history } = await recorded([50]);
    const stranger = new TransparencyLog({ db, store: log, origin, seed: Buffer.alloc(32, 9) });
    const text = noteSigner(Buffer.alloc(32, 9)).sign(
      `${origin}\n0\n${treeOf([]).toString('base64')}\n`,
      origin,
    );
    const kept = [{ name: 'theirs', text }];
    expect(await failureOf(history.verify(kept, undefined))).to.equal('invalid');
    expect(await history.verify(kept, stranger.verifierKey)).to.include({ problem: undefined, agreed: 2 });
    expect(await failureOf(history.verify([{ name: 'empty', text: '' }], undefined))).to.equal('invalid');
    await db.query('insert into durable.log_checkpoints (tree_size, note, position) values (60, $1, 60)', [
      text,
    ]);
    expect(await failureOf(history.verify([], undefined)), 'a forged row').to.equal('invalid');
  });

  it('accepts the checkpoints from before a change of the domain', async () => {
    const { log, history } = await recorded([50]);
    const moved = new TransparencyLog({ db, store: log, origin: 'new.example', seed });
    await moved.record();
    expect(await numberOf('log_checkpoints')).to.equal(2);
    expect(await moved.verify([], undefined)).to.include({ problem: undefined, agreed: 2, uncovered: 0 });
    expect(history.verifierKey).not.to.equal(moved.verifierKey);
  });

  it('keeps every sixtieth checkpoint after a day', async () => {
    const sizes = Array.from({ length: 125 }, (_, index) => index + 1);
    const { history } = await recorded(sizes);
    const digestOf = checkpointDigest(seed);
    for (const { note, number } of await storedCheckpoints(db)) {
      if (number === undefined || number > 123) continue;
      const madeAt = new Date(Date.now() - (30 + 123 - number) * 3_600_000).toISOString();
      await db.query('update durable.log_checkpoints set made_at = $1, digest = $2 where number = $3', [
        madeAt,
        digestOf({ number, madeAt, note }),
        number,
      ]);
    }
    await historyOf(new ChangeableLog(eventsUpTo(126))).record();
    const rows = await db.query<{ number: number }>(
      'select number::int as number from durable.log_checkpoints order by 1',
    );
    expect(rows.map(({ number }) => number)).to.deep.equal([60, 120, 124, 125, 126]);
    const log = new ChangeableLog(eventsUpTo(126));
    expect(await problemOf(historyOf(log))).to.equal(undefined);
    await db.query('delete from durable.log_checkpoints where number = 60');
    expect(await problemOf(historyOf(log))).to.equal(
      'The stored checkpoint number 60 was deleted; the next one is number 120',
    );
    expect((await history.verification())?.problem).to.include('number 60 was deleted');
  });

  describe('on an event store', () => {
    const engines: Record<string, () => Promise<{ store: EventStore; close: () => Promise<void> }>> = {
      Postgres: async () => {
        const store = await openPostgresEventStore(url);
        return { store, close: () => store.close() };
      },
      EventStoreDB: async () => {
        const double = await startEventStoreDbDouble();
        const store = await openEventStoreDb(double.url);
        return {
          store,
          close: async () => {
            await store.close();
            await double.kill();
          },
        };
      },
    };
    for (const [name, open] of Object.entries(engines)) {
      it(`is proven and verified: ${name}`, async () => {
        const { store, close } = await open();
        try {
          const history = historyOf(store);
          for (const count of [300, 200]) {
            await store.append(aStream(), NO_STREAM, someEvents(count));
            await history.record();
          }
          const events = await store.readAll(0n, 1_000);
          const { size, root } = opened(await history.newest(), history);
          expect(size).to.equal(500);
          expect(root.equals(treeOf(events))).to.equal(true);
          for (const index of [0, 255, 256, 499]) {
            const event = events[index]!;
            const proof = await history.proveInclusion(event.position);
            expect(proof.leaf_index).to.equal(index);
            expect(includes(proof, leafHash(leafOf(event)), root)).to.equal(true);
          }
          expect(await history.verify([], undefined)).to.include({
            problem: undefined,
            agreed: 2,
            uncovered: 0,
          });
        } finally {
          await close();
        }
      });
    }

    it('hashes in memory the same bytes as later from disk: Postgres', async () => {
      const store = await openPostgresEventStore(url);
      const later = await openPostgresEventStore(url);
      try {
        const odd = someEvents(1).map((event) => ({ ...event, data: '{"text":"\\u0000 ü 😀 \u2028 \\\\"}' }));
        await store.append(aStream(), NO_STREAM, odd);
        await historyOf(store).record();
        expect(await problemOf(historyOf(later))).to.equal(undefined);
      } finally {
        await store.close();
        await later.close();
      }
    });

    it('resumes after the process was killed: Postgres', async () => {
      const store = await openPostgresEventStore(url);
      try {
        await store.append(aStream(), NO_STREAM, someEvents(1_000));
        const child = spawn(process.execPath, [join(import.meta.dirname, 'killed.ts'), url, '300']);
        expect(await once(child, 'exit')).to.deep.equal([null, 'SIGKILL']);
        expect(await numberOf('log_subtrees')).to.equal(2);
        const history = historyOf(store);
        const { size, root } = opened(await history.record(), history);
        expect(size).to.equal(1_000);
        expect(root.equals(treeOf(await store.readAll(0n, 1_000)))).to.equal(true);
        expect(await problemOf(history)).to.equal(undefined);
      } finally {
        await store.close();
      }
    });

    it('detects a row that was changed by hand: Postgres', async () => {
      const store = await openPostgresEventStore(url);
      try {
        await store.append(aStream(), NO_STREAM, someEvents(20));
        await historyOf(store).record();
        await db.query(`update eventlog.events set data = replace(data, '7', '8') where position = 8`);
        const later = await openPostgresEventStore(url);
        const problem = await problemOf(historyOf(later)).finally(() => later.close());
        expect(problem).to.match(
          /^The events at positions 1 to 20 are not those of the checkpoint of 20 events/,
        );
      } finally {
        await store.close();
      }
    });
  });
});
