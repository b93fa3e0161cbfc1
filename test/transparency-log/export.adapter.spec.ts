import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TransparencyLog, type Verdict, verifyFile } from '#operations/transparency-log/index.ts';
import { leafOf } from '#operations/transparency-log/leaf.ts';
import { subtreesOf } from '#operations/transparency-log/merkle.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { failureOf } from '../support/failure.ts';
import { startedDatabase } from '../support/started-database.ts';
import { leafHash, openCheckpoint, treeHash } from './auditor.ts';
import { ChangeableLog, CHANGES, dice, eventsUpTo } from './changes.ts';

describe('An export of the log', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  let db: Database;
  let history: TransparencyLog;
  /** Checkpoints that an auditor kept, by size. */
  const kept = new Map<number, string>();
  const SIZE = 700;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-export-'));
    file = join(folder, 'export.ndjson');
    db = openDatabase({ url: await startedDatabase(), max: 2, applicationName: 'test' });
    const store = new ChangeableLog([]);
    history = new TransparencyLog({ db, store, origin: 'log.example', seed: Buffer.alloc(32, 7) });
    for (const size of [100, 400, SIZE]) {
      store.events = eventsUpTo(size);
      kept.set(size, await history.record());
    }
  });
  after(async () => {
    await db.close();
    await rm(folder, { recursive: true });
  });

  const linesOf = async (options: Parameters<TransparencyLog['export']>[0] = {}): Promise<string[]> => {
    const lines: string[] = [];
    for await (const line of history.export(options)) lines.push(line);
    return lines;
  };
  const verify = async (lines: readonly string[], sizes: readonly number[]): Promise<Verdict> => {
    await writeFile(file, lines.join(''));
    const files = sizes.map((size) => ({ name: `kept ${size}`, text: kept.get(size)! }));
    return verifyFile(file, files, history.verifierKey);
  };

  it('contains a heading and the hashed lines, from which anyone can compute the root', async () => {
    const [head, ...lines] = await linesOf();
    const { checkpoint, ...rest } = JSON.parse(head!) as { checkpoint: string };
    expect(rest).to.deep.equal({ rookery_log_export: 1, first: 0, count: SIZE, before: [], after: [] });
    expect(lines).to.deep.equal(eventsUpTo(SIZE).map((event) => `${leafOf(event)}\n`));
    const { size, root } = openCheckpoint(checkpoint, history.verifierKey)!;
    expect(size).to.equal(SIZE);
    expect(treeHash(lines.map((line) => leafHash(line.slice(0, -1)))).equals(root)).to.equal(true);
  });

  it('agrees with all kept checkpoints', async () => {
    expect(await verify(await linesOf(), [100, 400, SIZE])).to.include({
      events: SIZE,
      agreed: 3,
      uncovered: 0,
      problem: undefined,
    });
    const plain = (await linesOf()).slice(1);
    expect(await verify(plain, [100, 400])).to.include({ agreed: 2, uncovered: 300, problem: undefined });
  });

  it('can cover part of the log, and proves it with the hashes before and after', async () => {
    const parts = [
      [1, 1],
      [1, 700],
      [5, 9],
      [200, 300],
      [256, 513],
      [257, 512],
      [700, 700],
      [650, 9_999],
      [0, 50],
    ] as const;
    for (const [from, until] of parts) {
      const lines = await linesOf({ from: BigInt(from), until: BigInt(until) });
      expect(lines.length - 1, `${from} to ${until}`).to.equal(Math.min(until, SIZE) - Math.max(from, 1) + 1);
      const good = await verify(lines, [SIZE]);
      expect(good, `${from} to ${until}`).to.include({ problem: undefined, agreed: 1 });
      const changed = lines.with(1, lines[1]!.replace('SomethingHappened', 'SomethingElse'));
      expect((await verify(changed, [SIZE])).problem, `${from} to ${until}, changed`).to.be.a('string');
    }
    for (const [from, until] of [
      [701, undefined],
      [10, 9],
    ] as const) {
      const range = { from: BigInt(from), until: until === undefined ? undefined : BigInt(until) };
      expect(await failureOf(linesOf(range)), `${from} to ${until}`).to.equal('not_found');
    }
  });

  it('can be checked against an earlier checkpoint', async () => {
    const checkpoint = kept.get(400)!;
    const lines = await linesOf({ checkpoint, from: 300n });
    expect(lines.length - 1).to.equal(101);
    expect(await verify(lines, [400])).to.include({ problem: undefined, agreed: 1 });
  });

  /** Returns the outcome for each kept checkpoint. */
  const outcomes = ({ compared }: Verdict): string[] =>
    compared
      .filter(({ kept: { by } }) => by === 'auditor')
      .map(
        ({ kept: { size }, outcome, reason }) =>
          `${size} ${outcome}${reason === undefined ? '' : `: ${reason}`}`,
      );
  /** Returns a checkpoint that the key signed of a log that was not this one. */
  const forkOf = (size: number): string =>
    history.sign(`log.example\n${size}\n${Buffer.alloc(32, size % 256).toString('base64')}\n`, 'log.example');
  const verifyWith = async (lines: readonly string[], notes: readonly string[]): Promise<Verdict> => {
    await writeFile(file, lines.join(''));
    return verifyFile(file, [{ name: 'kept.txt', text: notes.join('\n') }], history.verifierKey);
  };

  it('counts the events that were read, and not its own checkpoint', async () => {
    const one = await linesOf({ from: 257n, until: 257n });
    expect(await verify(one, [])).to.deep.include({ events: SIZE, read: 1, agreed: 0, problem: undefined });
  });

  it('proves each published checkpoint, older or newer, from a part of the log', async () => {
    for (const position of [1n, 50n, 257n, 650n, 700n]) {
      const one = await linesOf({ from: position, until: position });
      const verdict = await verify(one, [100, 400, SIZE]);
      expect(outcomes(verdict)).to.deep.equal(['100 agrees', '400 agrees', '700 agrees']);
      expect(verdict).to.include({ problem: undefined, agreed: 3, read: 1 });
    }
    const early = await linesOf({ checkpoint: kept.get(100)!, from: 7n, until: 9n });
    expect(outcomes(await verify(early, [100, 400, SIZE]))).to.deep.equal([
      '100 agrees',
      '400 agrees',
      '700 agrees',
    ]);
  });

  it('names a checkpoint that is newer than it, and does not call that a fault', async () => {
    const now = await linesOf({ from: 7n, until: 7n });
    const later = forkOf(900);
    const verdict = await verifyWith(now, [kept.get(400)!, later]);
    expect(verdict).to.include({ problem: undefined, agreed: 1 });
    expect(outcomes(verdict)).to.deep.equal([
      '400 agrees',
      '900 not_compared: it is newer than the 700 events that could be compared',
    ]);
  });

  it('names a checkpoint for which it has no proof', async () => {
    const verdict = await verifyWith(await linesOf({ from: 7n, until: 7n }), [forkOf(333)]);
    expect(outcomes(verdict)).to.deep.equal(['333 not_compared: there is no proof for a log of 333 events']);
    expect(verdict).to.include({ problem: undefined, agreed: 0 });
  });

  it('finds the checkpoint of a fork among others, and says that the key signed both', async () => {
    for (const size of [100, 400, SIZE]) {
      for (const range of [{}, { from: 257n, until: 257n }]) {
        const others = [...kept.values()];
        const verdict = await verifyWith(await linesOf(range), [...others, forkOf(size)]);
        expect(outcomes(verdict), `${size}`).to.have.members([
          ...['100 agrees', '400 agrees', '700 agrees'],
          `${size} contradicts`,
        ]);
        expect(verdict.problem).to.include('so the key signed two logs that differ');
      }
    }
  });

  it('finds two kept checkpoints that contradict each other, though it has a proof of neither', async () => {
    const other = history.sign(
      `log.example\n333\n${Buffer.alloc(32, 9).toString('base64')}\n`,
      'log.example',
    );
    const verdict = await verifyWith(await linesOf({ from: 7n, until: 7n }), [forkOf(333), other]);
    expect(verdict.problem).to.match(/^The checkpoint of 333 events \(kept.txt\) differs from/);
  });

  it('still takes a file without proofs of published checkpoints', async () => {
    const [head, line] = await linesOf({ from: 257n, until: 257n });
    const old = JSON.parse(head!) as Record<string, unknown>;
    const { published } = old;
    expect(published).to.deep.equal([100, 400]);
    const subtrees = subtreesOf([0, 256]).concat(subtreesOf([257, SIZE]));
    const hashes = subtrees.map(({ height, place }) =>
      treeHash(
        eventsUpTo(SIZE)
          .slice(place * 2 ** height, (place + 1) * 2 ** height)
          .map((event) => leafHash(leafOf(event))),
      ).toString('base64'),
    );
    const plain = { ...old, before: hashes.slice(0, 1), after: hashes.slice(1) };
    const { published: _, ...without } = plain as Record<string, unknown>;
    const verdict = await verify([`${JSON.stringify(without)}\n`, line!], [400, SIZE]);
    expect(verdict.problem).to.equal(undefined);
    expect(outcomes(verdict)).to.deep.equal([
      '400 not_compared: there is no proof for a log of 400 events',
      '700 agrees',
    ]);
  });

  it('is refused when its sizes of published checkpoints or their hashes are changed', async () => {
    const [head, line] = await linesOf({ checkpoint: kept.get(400)!, from: 257n, until: 257n });
    const parts = JSON.parse(head!) as { published: number[]; newer: { hashes: string[] } };
    expect(parts.newer.hashes).to.have.length.greaterThan(0);
    const other = Buffer.alloc(32).toString('base64');
    const changed = [
      { ...parts, published: [99] },
      { ...parts, published: [100, 100] },
      { ...parts, newer: { ...parts.newer, hashes: parts.newer.hashes.with(0, other) } },
      { ...parts, newer: { ...parts.newer, checkpoint: forkOf(SIZE) } },
      { ...parts, newer: { ...parts.newer, hashes: [] } },
    ];
    for (const each of changed) {
      const problem = await verify([`${JSON.stringify(each)}\n`, line!], [400]).then(
        (verdict) => verdict.problem,
        (error: Error) => error.message,
      );
      expect(problem, JSON.stringify(each.published)).to.be.a('string');
    }
  });

  it('fails verification after any of many random changes', async () => {
    const head = (await linesOf({ checkpoint: kept.get(100)! }))[0]!;
    const events = eventsUpTo(100);
    const roll = dice(2);
    const changes = Object.entries(CHANGES);
    for (let round = 0; round < 240; round += 1) {
      const [name, change] = changes[round % changes.length]!;
      const lines = change(events, roll).map((event) => `${leafOf(event)}\n`);
      const problem = await verify(round % 2 === 0 ? [head, ...lines] : lines, [100]).then(
        (verdict) => verdict.problem,
        // An empty file is refused with an error.
        (error: Error) => error.message,
      );
      expect(problem, `${name}, round ${round}`).to.be.a('string');
    }
  });

  it('fails verification after a change of any byte', async () => {
    const lines = await linesOf({ checkpoint: kept.get(100)! });
    const bytes = Buffer.from(lines.join(''));
    const roll = dice(3);
    const files = [{ name: 'kept', text: kept.get(100)! }];
    for (let round = 0; round < 100; round += 1) {
      const changed = Buffer.from(bytes);
      const at = lines[0]!.length + roll(bytes.length - lines[0]!.length - 1);
      changed[at] = (changed[at]! + 1 + roll(255)) % 256;
      await writeFile(file, changed);
      const verdict = await verifyFile(file, files, history.verifierKey);
      expect(verdict.problem, `byte ${at}`).to.be.a('string');
    }
  });

  it('fails verification with more or fewer events than its heading declares', async () => {
    const lines = await linesOf({ checkpoint: kept.get(100)! });
    const one = `${leafOf(eventsUpTo(101)[100]!)}\n`;
    expect((await verify([...lines, one], [100])).problem).to.equal(
      'There are 101 events; the heading of the export says 100',
    );
    expect((await verify(lines.slice(0, -1), [100])).problem).to.match(/^There are 99 events/);
    expect((await verify([...lines, '\n'], [100])).problem).to.match(/is none$/);
  });

  it('is refused when its heading is damaged or not signed by the key', async () => {
    const lines = await linesOf();
    const stranger = new TransparencyLog({
      db,
      store: new ChangeableLog([]),
      origin: 'log.example',
      seed: Buffer.alloc(32, 9),
    });
    await writeFile(file, lines.join(''));
    expect(await failureOf(verifyFile(file, [], stranger.verifierKey))).to.equal('invalid');
    expect(await failureOf(verifyFile(file, [], 'no key'))).to.equal('invalid');
    const damaged = [
      lines[0]!.replace('log.example', 'log.exbmple'),
      lines[0]!.replace('"count":700', '"count":-1'),
      lines[0]!.replace('"before":[]', '"before":["x"]'),
      lines[0]!.replace('"first":0', '"first":1'),
      lines[0]!.replace('}', ''),
    ];
    for (const head of damaged) {
      expect(await failureOf(verify([head, ...lines.slice(1)], [])), head).to.equal('invalid');
    }
    expect(await failureOf(verify([], []))).to.equal('invalid');
    expect(await failureOf(verifyFile(join(folder, 'absent'), [], history.verifierKey))).to.equal('ENOENT');
  });
});
