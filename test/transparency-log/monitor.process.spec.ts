import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import { lazyHttpClient } from '#adapters/outbound-http/index.ts';
import { createLogRouter } from '#interfaces/http/log/router.ts';
import { TransparencyLog } from '#operations/transparency-log/index.ts';
import { LogSource, publicEntries } from '#operations/transparency-log/monitor/index.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { inTurn, type Result } from '../support/command-line.ts';
import { startedDatabase } from '../support/started-database.ts';
import { ChangeableLog, CHANGES, dice, eventAt, eventsUpTo } from './changes.ts';

const SIZE = 700;
const GROWN = 900;

describe('The monitor of a log', function () {
  this.timeout(120_000);
  let db: Database;
  let server: Server;
  let url: string;
  let folder: string;
  let number = 0;
  let seed = Buffer.alloc(32, 7);
  const log = new ChangeableLog([]);
  const history = (): TransparencyLog =>
    new TransparencyLog({ db, store: log, origin: 'log.example', seed, isPublic: () => true });

  before(async () => {
    db = openDatabase({ url: await startedDatabase(), max: 4, applicationName: 'test', shortReads: true });
    folder = await mkdtemp(join(tmpdir(), 'rookery-monitor-'));
    const web = express();
    web.use(
      createLogRouter({
        log: {
          tile: (address) => history().tile(address),
          publicEntries: (address) => history().publicEntries(address),
        },
        limitTiles: () => Promise.resolve(),
      }),
    );
    web.get('/.well-known/rookery/log/checkpoint', async (_req, res) => {
      const note = await history()
        .published()
        .catch(() => undefined);
      res.status(note === undefined ? 404 : 200).send(note ?? '');
    });
    web.get('/.well-known/rookery/key', (_req, res) => void res.send(`${history().verifierKey}\n`));
    server = web.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.close();
    await db.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    seed = Buffer.alloc(32, 7);
    number += 1;
    await forget();
  });

  /** Empties what the server recorded, as a rewrite of the log in SQL would. */
  const forget = (): Promise<unknown> =>
    db.query(
      'truncate durable.log_subtrees, durable.log_tiles, durable.log_checkpoints, durable.log_verifications',
    );
  const publish = async (events: typeof log.events): Promise<void> => {
    log.events = events;
    await history().record();
  };
  const kept = (): string => join(folder, String(number));
  const monitor = (...options: string[]): Promise<Result> =>
    inTurn(['log', 'monitor', url, '--dir', kept(), ...options], {
      DATA_DIR: join(folder, 'nothing'),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    });
  /** Looks once at a log of 700 events. */
  const seen = async (): Promise<void> => {
    await publish(eventsUpTo(SIZE));
    expect(await monitor()).to.include({ code: 0, stderr: '' });
  };

  it('says in one line that a log holds, and follows it as it grows', async () => {
    await publish(eventsUpTo(SIZE));
    const first = await monitor();
    expect(first).to.include({ code: 0, stderr: '' });
    expect(first.stdout).to.match(/^Unaltered: log\.example, 700 events, 700 of them new, root .{44}\n$/);
    expect((await monitor()).stdout).to.match(/ 700 events, 0 of them new/);
    for (const size of [701, 768, 1_024, 2_000]) {
      await publish(eventsUpTo(size));
      const next = await monitor();
      expect(next, next.stderr).to.include({ code: 0 });
      expect(next.stdout).to.contain(` ${size} events, `);
    }
    expect(await monitor('--all')).to.include({ code: 0, stderr: '' });
    const checkpoints = await readFile(join(kept(), 'checkpoints.txt'), 'utf8');
    expect(checkpoints.match(/^log\.example$/gm)).to.have.length.at.least(5);
  });

  for (const [name, change] of Object.entries(CHANGES)) {
    it(`finds a change of the past that was signed anew: ${name}`, async () => {
      for (const round of [1, 2, 3]) {
        number += 1;
        await forget();
        await seen();
        const changed = change(eventsUpTo(SIZE), dice(round));
        await forget();
        await publish(changed);
        const result = await monitor();
        const code = changed.length < SIZE ? 10 : changed.length > SIZE ? 11 : 12;
        expect({ ...result, stdout: '' }, result.stderr).to.include({ code });
        const known = await readFile(join(kept(), 'contradiction.txt'), 'utf8');
        expect(known).to.equal(await history().published());
        if (name === 'truncate') continue;
        const more = Array.from({ length: GROWN - changed.length }, (_, n) => ({
          ...eventAt(10_000 + n),
          position: BigInt(2_000 + n),
        }));
        await publish([...changed, ...more]);
        const grown = await monitor();
        expect(grown, grown.stderr).to.include({ code: 11 });
        expect(grown.stderr).to.match(/contradicts the checkpoint of 700 events: the events \d+ to \d+ are/);
      }
    });
  }

  it('names the stretch of a rewrite, to the event at the end of what was known', async () => {
    await seen();
    const one = (at: number) => eventsUpTo(GROWN).with(at, { ...eventAt(at), type: 'Other' });
    for (const [at, stretch] of [
      [300, '257 to 512'],
      [SIZE - 1, '700 to 700'],
    ] as const) {
      await forget();
      await publish(one(at));
      expect((await monitor()).stderr).to.contain(`the events ${stretch} are others`);
    }
  });

  it('finds a second log that the same key signed, and a checkpoint of another key', async () => {
    await seen();
    await forget();
    await publish(eventsUpTo(SIZE).map((event) => ({ ...event, type: 'Fork' })));
    const fork = await monitor();
    expect(fork).to.include({ code: 12, stdout: '' });
    expect(fork.stderr).to.match(/^fork: /);
    await forget();
    seed = Buffer.alloc(32, 8);
    await publish(eventsUpTo(SIZE));
    expect(await monitor()).to.include({ code: 14 });
  });

  it('finds that the newest checkpoints were deleted', async () => {
    await publish(eventsUpTo(300));
    await seen();
    await db.query('delete from durable.log_checkpoints where tree_size > 300');
    const cut = await monitor();
    expect(cut).to.include({ code: 10 });
    expect(cut.stderr).to.match(/^cut: The log ends after 300 events; its checkpoint of 700 events/);
    await forget();
    expect(await monitor()).to.include({ code: 10 });
  });

  it('finds tiles and entries that were changed, at once or when it reads everything again', async () => {
    await seen();
    const changes = [
      `update durable.log_tiles set hashes = overlay(hashes placing '\\x00'::bytea from 40) where place = 1`,
      `update durable.log_tiles set entries = replace(entries, 'SomethingHappened', 'Else') where place = 1`,
      `update durable.log_tiles set hashes = substring(hashes from 1 for 32) where place = 1`,
      `update durable.log_subtrees set hash = '\\x00' where level = 1 and place = 1`,
      `delete from durable.log_tiles where place = 0`,
    ];
    const codes: number[] = [];
    for (const change of changes) {
      await forget();
      await publish(eventsUpTo(SIZE));
      await db.query(change);
      codes.push((await monitor('--all')).code ?? 0);
    }
    expect(codes).to.deep.equal([13, 11, 13, 13, 13]);
    await forget();
    await publish(eventsUpTo(GROWN));
    await db.query(
      `update durable.log_tiles set hashes = overlay(hashes placing '\\x00'::bytea from 40) where place = 3`,
    );
    expect(await monitor()).to.include({ code: 13 });
  });

  it('refuses a folder that was changed, another key, and an address that is none', async () => {
    await seen();
    const other = 'log.example+00000000+AAAA';
    expect(await monitor('--key', other)).to.include({ code: 64 });
    expect((await inTurn(['log', 'monitor', 'nowhere'], {})).code).to.equal(64);
    const state = join(kept(), 'state.json');
    const text = await readFile(state, 'utf8');
    await writeFile(state, text.replace('"size":700', '"size":701'));
    expect(await monitor()).to.include({ code: 1 });
    await writeFile(state, '{}');
    expect(await monitor()).to.include({ code: 64 });
  });

  it('says that a server cannot be reached, or publishes no log', async () => {
    expect(await monitor()).to.include({ code: 3 });
    const gone = await inTurn(['log', 'monitor', 'http://127.0.0.1:1'], {});
    expect(gone).to.include({ code: 3, stdout: '' });
  });

  it('gives the public entries of a stretch', async () => {
    await publish(eventsUpTo(SIZE));
    const client = lazyHttpClient({ allowedPrivateAddresses: [], userAgent: 'spec', permits: () => true });
    const found: string[] = [];
    for await (const { index, position, type } of publicEntries(new LogSource(client, url), SIZE, 510)) {
      found.push(`${index} ${position} ${type}`);
    }
    expect(found).to.have.length(190);
    expect(found[0]).to.equal('510 511 SomethingHappened');
    await client.close();
  });
});
