import { randomBytes } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3Config } from '#config/config.ts';
import type { Id } from '#kernel/ids.ts';
import type { MasterKey, SealingBox } from '#kernel/master-key.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Archive, Archives } from '#kernel/services/archives.ts';
import { ARCHIVE_DAYS } from '#mastodon/portability.ts';
import { type ArchiveFiles, workshop } from './files.ts';
import { archiveFilesFor } from './open-files.ts';
import { sealing, unsealed } from './sealing.ts';

const KEPT = `interval '${ARCHIVE_DAYS} days'`;
/** The maximum number of attempts, because making an archive may kill the process. */
const MAX_TRIES = 10;
/**
 * Milliseconds between two heartbeats of the process that makes an archive; without them the archive counts
 * as abandoned.
 */
const TOUCH_EVERY = 60_000;
const LEFT_AFTER = `interval '10 minutes'`;

const REQUEST = statement<{ id: Id }>(
  'archives_request',
  `insert into durable.archives as a (id, account_id) values ($1, $2)
   on conflict (account_id) do update
     set id = excluded.id, requested_at = now(), touched_at = now(), tries = 0, secret = null, size = null, missing = null,
       failed = false, finished_at = null, mailed_at = null
     where a.finished_at is not null and (a.failed or a.requested_at + ${KEPT} <= now())
   returning id`,
);
const ISO = (moment: string): string =>
  `to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const ROW = `select id, account_id, file, secret, size::float8 as size, missing, mailed_at is not null as mailed,
     case when finished_at is null then 'being_made' when failed then 'failed' else 'ready' end as state,
     ${ISO(`case when failed then finished_at else requested_at + ${KEPT} end`)} as next_at,
     ${ISO('finished_at')} as finished_at,
     case when not failed then ${ISO(`finished_at + ${KEPT}`)} end as expires_at
   from durable.archives`;
const FIND = statement<Row>('archives_find', `${ROW} where id = $1`);
const OF = statement<Row>(
  'archives_of',
  `${ROW} where account_id = $1 and (finished_at is null or finished_at + ${KEPT} > now())`,
);
/** A process with an earlier try finds another file name here, and stops. */
const BEGIN = statement<{ file: string | null; tries: number }>(
  'archives_begin',
  `with before as (select id, file from durable.archives where id = $1 and finished_at is null for update)
   update durable.archives a set file = $2, tries = a.tries + 1, touched_at = now() from before where a.id = before.id
   returning before.file, a.tries`,
);
const TOUCH = statement(
  'archives_touch',
  'update durable.archives set touched_at = now() where id = $1 and file = $2',
);
const READY = statement<{ id: Id }>(
  'archives_ready',
  `update durable.archives set secret = $3, size = $4, missing = $5, finished_at = now()
   where id = $1 and file = $2 and finished_at is null returning id`,
);
const FAIL = statement(
  'archives_fail',
  'update durable.archives set failed = true, finished_at = now() where id = $1 and finished_at is null',
);
const MAILED = statement('archives_mailed', 'update durable.archives set mailed_at = now() where id = $1');
const FILE_OF = statement<{ file: string }>(
  'archives_file_of',
  'select file from durable.archives where account_id = $1 and file is not null',
);
const OLD = statement<{ id: Id; file: string | null }>(
  'archives_old',
  `select id, file from durable.archives where finished_at + ${KEPT} <= now() order by finished_at limit $1`,
);
const FORGET = statement(
  'archives_forget',
  'delete from durable.archives where id = any($1::bigint[]) and finished_at is not null',
);
const LEFT = statement<{ id: Id }>(
  'archives_left',
  `select id from durable.archives where finished_at is null and touched_at + ${LEFT_AFTER} < now() order by id limit $1`,
);
/** Rows of one statement. */
const BATCH = 100;

type Row = Archive & { file: string | null; secret: Buffer | null };

/** Archives, with additional methods for the composition root. */
export interface ArchiveStore extends Archives {
  /** Removes the file of an erased account; its row is deleted with the others. */
  removeOf(accountId: Id): Promise<void>;
  close(): void;
}

interface Options {
  db: Db;
  dataDir: string;
  s3: S3Config | undefined;
  master: MasterKey;
}

/**
 * Stores archives in the bucket or in `<dataDir>/archives`. Each is encrypted with a key of its own, which
 * only the database holds, sealed with the master key. A public bucket reveals nothing, and without its row
 * an archive is lost for good.
 */
export const createArchives = (options: Options): ArchiveStore => new SealedArchives(options);

class SealedArchives implements ArchiveStore {
  readonly #db: Db;
  readonly #files: ArchiveFiles;
  readonly #work: ReturnType<typeof workshop>;
  readonly #box: SealingBox;

  constructor({ db, dataDir, s3, master }: Options) {
    const root = join(dataDir, 'archives');
    this.#db = db;
    this.#files = archiveFilesFor(root, s3);
    this.#work = workshop(join(root, 'work'));
    this.#box = master.box('archives');
  }

  request: ArchiveStore['request'] = async (id, accountId) =>
    (await this.#db.query(REQUEST, [id, accountId])).length > 0;

  of: ArchiveStore['of'] = async (accountId) => archiveOf(await this.#find(OF, accountId));

  find: ArchiveStore['find'] = async (id) => archiveOf(await this.#find(FIND, id));

  make: ArchiveStore['make'] = async (id, write, signal) => {
    const file = await this.#begin(id);
    if (file === undefined) return;
    const folder = await this.#work.open(file);
    const alive = setInterval(() => {
      const now = new Date();
      void Promise.allSettled([this.#db.query(TOUCH, [id, file]), utimes(folder, now, now)]);
    }, TOUCH_EVERY);
    try {
      const sealed = sealing();
      const path = join(folder, 'archive');
      const missing = await write({ path, seal: sealed.seal });
      const { size } = await this.#files.put(path, file, signal);
      const values = [id, file, this.#box.seal(sealed.secret(), id), size, missing];
      if ((await this.#db.query(READY, values)).length === 0) await this.#files.remove(file);
    } finally {
      clearInterval(alive);
      await this.#work.close(file);
    }
  };

  fail: ArchiveStore['fail'] = async (id) => {
    await this.#db.query(FAIL, [id]);
  };

  mailed: ArchiveStore['mailed'] = async (id) => {
    await this.#db.query(MAILED, [id]);
  };

  open: ArchiveStore['open'] = async (accountId) => {
    const row = await this.#find(OF, accountId);
    if (row?.state !== 'ready' || row.file === null || row.secret === null) return null;
    const secret = this.#box.unseal(row.secret, row.id);
    const stored = await this.#files.read(row.file);
    if (!stored) return null;
    return { archive: archiveOf(row), size: stored.size, stream: unsealed(stored.stream, secret) };
  };

  tidy: ArchiveStore['tidy'] = async () => {
    await this.#work.sweep();
    while ((await this.#forgetSome()) === BATCH);
    return (await this.#db.query(LEFT, [BATCH])).map(({ id }) => id);
  };

  removeOf: ArchiveStore['removeOf'] = async (accountId) => {
    const [row] = await this.#db.query(FILE_OF, [accountId]);
    if (row) await this.#remove(row.file);
  };

  close: ArchiveStore['close'] = () => this.#files.close();

  async #find(which: typeof FIND, id: Id): Promise<Row | undefined> {
    return (await this.#db.query<Row>(which, [id]))[0];
  }

  async #remove(file: string | null): Promise<void> {
    if (file === null) return;
    await this.#files.remove(file);
    await this.#work.close(file);
  }

  /** Returns the id of this attempt; undefined when there is no archive to make. */
  async #begin(id: Id): Promise<string | undefined> {
    const file = randomBytes(32).toString('hex');
    const [begun] = await this.#db.query(BEGIN, [id, file]);
    if (!begun) return undefined;
    await this.#remove(begun.file);
    await this.#work.sweep();
    if (begun.tries > MAX_TRIES) {
      await this.#db.query(FAIL, [id]);
      throw new Error(`Archive ${id} was begun ${MAX_TRIES} times and never ended`);
    }
    return file;
  }

  /** A row stays as long as its file. @returns the number of removed archives */
  async #forgetSome(): Promise<number> {
    const old = await this.#db.query(OLD, [BATCH]);
    if (old.length === 0) return 0;
    const removed = await Promise.allSettled(old.map(({ file }) => this.#remove(file)));
    const gone = old.filter((_, n) => removed[n]?.status === 'fulfilled');
    await this.#db.query(FORGET, [gone.map(({ id }) => id)]);
    const failure = removed.find((each) => each.status === 'rejected');
    if (failure) throw failure.reason;
    return old.length;
  }
}

function archiveOf(row: Row): Archive;
function archiveOf(row: Row | undefined): Archive | undefined;
function archiveOf(row: Row | undefined): Archive | undefined {
  if (!row) return undefined;
  const { file: _, secret: __, ...archive } = row;
  return archive;
}
