import { expect } from 'chai';
import { catalogue } from '#events/index.ts';
import { isPublicEvent, publicTypes } from '#events/public-events.ts';
import { parsePlacePath, parseTilePath, placePath, tilePath, tilesOf } from '#kernel/tile-address.ts';
import { TransparencyLog } from '#operations/transparency-log/index.ts';
import { leafOf } from '#operations/transparency-log/leaf.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { failureOf } from '../support/failure.ts';
import { startedDatabase } from '../support/started-database.ts';
import { leafHash, openCheckpoint, treeHash } from './auditor.ts';
import { ChangeableLog, eventsUpTo } from './changes.ts';

describe('The tiles of the log', function () {
  this.timeout(120_000);
  let db: Database;
  const log = new ChangeableLog([]);

  before(async () => {
    db = openDatabase({ url: await startedDatabase(), max: 4, applicationName: 'test', shortReads: true });
  });
  beforeEach(() =>
    db.query(
      'truncate durable.log_subtrees, durable.log_tiles, durable.log_checkpoints, durable.log_tiles, durable.log_verifications',
    ),
  );
  after(() => db.close());

  const isPublic = (_type: string, data: () => unknown): boolean => (data() as { n: number }).n % 2 === 0;
  const history = (): TransparencyLog =>
    new TransparencyLog({ db, store: log, origin: 'log.example', seed: Buffer.alloc(32, 7), isPublic });
  const hashesIn = (tile: Buffer): Buffer[] =>
    Array.from({ length: tile.length / 32 }, (_, n) => tile.subarray(n * 32, (n + 1) * 32));

  /** Reads all tiles of a tree, checks each level against the one below, and returns the hashes of the lowest one. */
  const leavesOf = async (size: number): Promise<Buffer[]> => {
    const levels: Buffer[][] = [];
    for (let level = 0; 256 ** level <= size; level += 1) {
      const hashes: Buffer[] = [];
      for (const address of tilesOf(level, size)) {
        const tile = (await history().tile(address)) ?? expect.fail(`No tile ${tilePath(address)}`);
        expect(tile.length, tilePath(address)).to.equal(address.width * 32);
        hashes.push(...hashesIn(tile));
      }
      const below = levels.at(-1);
      if (below) {
        const full = Array.from({ length: Math.floor(below.length / 256) }, (_, n) =>
          treeHash(below.slice(n * 256, (n + 1) * 256)),
        );
        expect(Buffer.concat(hashes).equals(Buffer.concat(full)), `level ${level} of ${size}`).to.equal(true);
      }
      levels.push(hashes);
    }
    return levels[0] ?? [];
  };

  for (const size of [1, 255, 256, 257, 70_000]) {
    it(`lead to the checkpoint of ${size} events`, async () => {
      log.events = eventsUpTo(size);
      await history().record();
      const checkpoint = openCheckpoint(await history().published(), history().verifierKey);
      expect(checkpoint?.size).to.equal(size);
      const leaves = await leavesOf(size);
      expect(leaves).to.have.length(size);
      expect(leaves[size - 1]?.equals(leafHash(leafOf(log.events.at(-1)!)))).to.equal(true);
      expect(checkpoint?.root.equals(treeHash(leaves))).to.equal(true);
    });
  }

  it('end where the published checkpoint ends', async () => {
    log.events = eventsUpTo(300);
    await history().record();
    const widthAt = async (level: number, place: number, width: number): Promise<number | undefined> =>
      (await history().tile({ level, place, width }))?.length;
    expect(await widthAt(0, 1, 44)).to.equal(44 * 32);
    expect(await widthAt(0, 1, 45)).to.equal(undefined);
    expect(await widthAt(0, 2, 1)).to.equal(undefined);
    expect(await widthAt(1, 0, 1)).to.equal(32);
    expect(await widthAt(1, 0, 2)).to.equal(undefined);
    expect(await widthAt(2, 0, 1)).to.equal(undefined);
    expect(await widthAt(63, 999_999_999_999_999, 256)).to.equal(undefined);
    log.events = eventsUpTo(600);
    await history().record();
    expect(await widthAt(0, 1, 44)).to.equal(44 * 32);
    expect(await widthAt(0, 1, 256)).to.equal(8_192);
  });

  it('are filled for a log that was recorded without them, and until then no checkpoint needs them', async () => {
    log.events = eventsUpTo(300);
    await history().record();
    log.events = eventsUpTo(900);
    await history().record();
    await db.query('truncate durable.log_tiles');
    expect(await failureOf(history().published())).to.equal('not_found');
    expect(await history().tile({ level: 1, place: 0, width: 1 })).to.equal(undefined);
    await history().recordWhenIdle();
    expect(await history().published()).to.equal(await history().newest());
    expect(await leavesOf(900)).to.have.length(900);
  });

  it('are not made of events that the tree does not have', async () => {
    log.events = eventsUpTo(300);
    await history().record();
    await db.query('truncate durable.log_tiles');
    log.events = eventsUpTo(300).map((event, index) => (index === 9 ? { ...event, type: 'Other' } : event));
    expect(await failureOf(history().recordWhenIdle())).to.equal('conflict');
    expect(await history().tile({ level: 0, place: 0, width: 256 })).to.equal(undefined);
  });

  it('have beside them the type and time of public events, and the hash of every event', async () => {
    log.events = eventsUpTo(258);
    await history().record();
    const text = await history().publicEntries({ place: 1, width: 2 });
    const leaf = (n: number): string => leafHash(leafOf(log.events[n]!)).toString('base64');
    expect(text?.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as unknown)))).to.deep.equal(
      [
        { position: '257', type: 'SomethingHappened', time: '2026-11-22T16:00:00.000Z', leaf: leaf(256) },
        { position: '258', leaf: leaf(257) },
        '',
      ],
    );
    expect(await history().publicEntries({ place: 1, width: 3 })).to.equal(undefined);
  });
});

describe('The address of a tile', () => {
  it('has three digits an element', () => {
    expect(placePath({ place: 1_234_067, width: 256 })).to.equal('x001/x234/067');
    expect(tilePath({ level: 2, place: 0, width: 8 })).to.equal('2/000.p/8');
    for (const place of [0, 999, 1_000, 123_456, 999_999_999_999_999]) {
      expect(parsePlacePath(placePath({ place, width: 7 }))).to.deep.equal({ place, width: 7 });
    }
  });

  it('has one spelling', () => {
    const wrong = ['', '0', '1/0', '00/000', '64/000', '0/00', '0/x000/000', '0/000.p/0', '0/000.p/256'];
    const others = [
      '0/000.p/01',
      '0/000.p/',
      '0/x001',
      '0/000/000',
      '0/-01',
      '0/000.p/1.p/1',
      'a/000',
      '0/x0a1/000',
    ];
    for (const path of [...wrong, ...others]) expect(parseTilePath(path), path).to.equal(undefined);
    expect(parseTilePath('63/000')).to.deep.equal({ level: 63, place: 0, width: 256 });
  });
});

describe('Public events', () => {
  it('are all in the catalogue', () => {
    const known = catalogue.map(({ type }) => type);
    expect(known).to.include.members(publicTypes());
  });

  it('are posts that everybody may see, and decisions of staff, but no private acts', () => {
    const post = (visibility: string) => isPublicEvent('StatusCreated', () => ({ visibility }));
    expect(['public', 'unlisted', 'private', 'direct'].map(post)).to.deep.equal([true, true, false, false]);
    expect(isPublicEvent('AccountSuspended', () => undefined)).to.equal(true);
    const types = [
      'AccountBlocked',
      'StatusBookmarked',
      'FilterCreated',
      'ReportFiled',
      'UserActive',
      'Unknown',
    ];
    for (const type of types)
      expect(
        isPublicEvent(type, () => ({ visibility: 'public' })),
        type,
      ).to.equal(false);
  });
});
