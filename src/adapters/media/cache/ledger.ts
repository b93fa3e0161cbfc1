import { type Db, statement } from '#kernel/read.ts';
import type { CacheUsage } from '#kernel/services/remote-media.ts';
import type { RemoteMediaId, RemoteMediaKind } from '#mastodon/remote-media.ts';
import type { Database } from '#storage/postgres/db.ts';
import { LOCKS } from '#storage/postgres/locks.ts';

/** A file about to be cached. */
export interface NewFile extends RemoteMediaId {
  /** Its class in the usage statistics. */
  class: string;
  host: string;
  /** Its name in the store. */
  key: string;
  bytes: number;
  /** It serves every variant. */
  still: boolean;
}

/** A file to be removed, and then released. */
export interface LeavingFile extends RemoteMediaId {
  key: string;
}

/** A host may use at most this fraction of the budget. */
const HOST_SHARE = 4;
/** Rows whose process counts as dead. */
const STALE = `interval '2 hours'`;
/** Candidates for removal per query. */
const MOST = 500;
const ROUNDS = 50;

const LOCK = statement('media_cache_lock', `select pg_advisory_xact_lock(${LOCKS.mediaCache})`);
const ROOM = statement<{ used: string; used_by_host: string }>(
  'media_cache_room',
  `select coalesce(sum(bytes) filter (where scope = 'all'), 0) as used,
     coalesce(sum(bytes) filter (where scope = 'host'), 0) as used_by_host
   from durable.media_cache_totals where (scope = 'all' and name = '') or (scope = 'host' and name = $1)`,
);
const INSERT = statement<{ key: string }>(
  'media_cache_insert',
  `insert into durable.media_cache (kind, digest, variant, class, host, key, bytes, still, state)
   values ($1, $2, $3, $4, $5, $6, $7, $8, 'writing') on conflict do nothing returning key`,
);
const COUNT = statement(
  'media_cache_count',
  `insert into durable.media_cache_totals as t (scope, name, bytes, files)
   values ('all', '', $3, 1), ('class', $1, $3, 1), ('host', $2, $3, 1)
   on conflict (scope, name) do update set bytes = t.bytes + excluded.bytes, files = t.files + 1`,
);
const CHOOSE = statement<LeavingFile>(
  'media_cache_choose',
  `with oldest as (
     select kind, digest, variant, bytes, seen_at from durable.media_cache
     where (state = 'kept' or changed_at < now() - ${STALE}) and ($1::text is null or host = $1)
     order by seen_at limit ${MOST}),
   summed as (
     select *, sum(bytes) over (order by seen_at, kind, digest, variant) - bytes as before from oldest)
   update durable.media_cache m set state = 'leaving', changed_at = now() from summed s
   where (m.kind, m.digest, m.variant) = (s.kind, s.digest, s.variant) and s.before < $2
   returning m.kind, m.digest, m.variant, m.key`,
);
const LEAVE = statement<LeavingFile>(
  'media_cache_leave',
  `update durable.media_cache m set state = 'leaving', changed_at = now()
   from unnest($1::text[], $2::text[]) as n (kind, digest)
   where (m.kind, m.digest) = (n.kind, n.digest) and m.state = 'kept'
   returning m.kind, m.digest, m.variant, m.key`,
);
const LEAVE_UNSEEN = statement<LeavingFile & { bytes: string }>(
  'media_cache_leave_unseen',
  `update durable.media_cache m set state = 'leaving', changed_at = now()
   from (select kind, digest, variant from durable.media_cache
         where state = 'kept' and seen_at < $1 and ($2::text[] is null or kind = any($2))
         order by seen_at limit ${MOST}) s
   where (m.kind, m.digest, m.variant) = (s.kind, s.digest, s.variant)
   returning m.kind, m.digest, m.variant, m.key, m.bytes`,
);
const LEAVE_STALE = statement<LeavingFile>(
  'media_cache_leave_stale',
  `update durable.media_cache m set state = 'leaving', changed_at = now()
   from (select kind, digest, variant from durable.media_cache
         where state <> 'kept' and changed_at < now() - ${STALE} limit ${MOST}) s
   where (m.kind, m.digest, m.variant) = (s.kind, s.digest, s.variant)
   returning m.kind, m.digest, m.variant, m.key`,
);
const KEEP = statement<{ key: string }>(
  'media_cache_keep',
  `update durable.media_cache set state = 'kept', changed_at = now()
   where (kind, digest, variant) = ($1, $2, $3) and state = 'writing' and key = $4 returning key`,
);
const LEAVE_ONE = statement(
  'media_cache_leave_one',
  `update durable.media_cache set state = 'leaving', changed_at = now()
   where (kind, digest, variant) = ($1, $2, $3) and key = $4`,
);
const RELEASE = statement(
  'media_cache_release',
  `with gone as (
     delete from durable.media_cache m using unnest($1::text[], $2::text[], $3::text[], $4::text[])
       as n (kind, digest, variant, key)
     where (m.kind, m.digest, m.variant, m.key) = (n.kind, n.digest, n.variant, n.key) and m.state = 'leaving'
     returning m.class, m.host, m.bytes),
   sums as (
     select 'all' as scope, '' as name, sum(bytes) as bytes, count(*) as files from gone
     union all select 'class', class, sum(bytes), count(*) from gone group by class
     union all select 'host', host, sum(bytes), count(*) from gone group by host)
   update durable.media_cache_totals t set bytes = t.bytes - s.bytes, files = t.files - s.files
   from sums s where (t.scope, t.name) = (s.scope, s.name) and s.files > 0`,
);
const FORGET_EMPTY = statement(
  'media_cache_forget_empty',
  `delete from durable.media_cache_totals where scope = 'host' and files = 0`,
);
const SEEN = statement(
  'media_cache_seen',
  `update durable.media_cache set seen_at = now() where (kind, digest) = ($1, $2) and key = $3`,
);
const USAGE = statement<{ scope: string; name: string; bytes: string; files: string }>(
  'media_cache_usage',
  `select scope, name, bytes, files from durable.media_cache_totals where scope in ('all', 'class') order by name`,
);

/**
 * Accounts for the cache's bytes in the database. Bytes are reserved before a file is written, and released
 * after it is removed. So the files never exceed the rows, and the rows never exceed the budget.
 */
export class CacheLedger {
  readonly #db: Database;
  readonly #budget: number;
  readonly #remove: (key: string) => Promise<void>;

  constructor(options: { db: Database; budget: number; remove: (key: string) => Promise<void> }) {
    this.#db = options.db;
    this.#budget = options.budget;
    this.#remove = options.remove;
  }

  /**
   * Makes room, least recently seen first. @returns false without room, or when another process caches the
   * file already
   */
  async reserve(file: NewFile): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = await this.#tryReserve(file);
      if (typeof next === 'boolean') return next;
      if (next.length === 0) return false;
      await this.remove(next);
    }
    return false;
  }

  /** The file is written. @returns false when the row, and with it the file, was given up meanwhile */
  async keep({ kind, digest, variant, key }: NewFile): Promise<boolean> {
    return (await this.#db.query(KEEP, [kind, digest, variant, key])).length > 0;
  }

  /** The file was not written, or is broken or missing. */
  async abandon(file: LeavingFile): Promise<void> {
    const { kind, digest, variant, key } = file;
    await this.#db.query(LEAVE_ONE, [kind, digest, variant, key]);
    await this.remove([file]);
  }

  /** Removes files and releases their bytes. A file that cannot be removed still counts. */
  async remove(files: readonly LeavingFile[]): Promise<void> {
    if (files.length === 0) return;
    const results = await Promise.allSettled(files.map(({ key }) => this.#remove(key)));
    const gone = files.filter((_, index) => results[index]?.status === 'fulfilled');
    await this.#locked((db) =>
      db.query(RELEASE, [
        gone.map(({ kind }) => kind),
        gone.map(({ digest }) => digest),
        gone.map(({ variant }) => variant),
        gone.map(({ key }) => key),
      ]),
    );
    const failed = results.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async forget(files: readonly Pick<RemoteMediaId, 'kind' | 'digest'>[]): Promise<void> {
    const values = [files.map(({ kind }) => kind), files.map(({ digest }) => digest)];
    await this.remove(await this.#locked((db) => db.query(LEAVE, values)));
  }

  /**
   * Removes files that were last seen before a time (ISO 8601), of some kinds or all.
   * @returns their number and bytes
   */
  async forgetUnseen(
    before: string,
    kinds: readonly RemoteMediaKind[] | undefined,
    onRemoved: (files: number) => void,
  ): Promise<{ files: number; bytes: number }> {
    const removed = { files: 0, bytes: 0 };
    for (;;) {
      const leaving = await this.#locked((db) => db.query(LEAVE_UNSEEN, [before, kinds ?? null]));
      if (leaving.length === 0) return removed;
      await this.remove(leaving);
      removed.files += leaving.length;
      removed.bytes += leaving.reduce((sum, { bytes }) => sum + Number(bytes), 0);
      onRemoved(removed.files);
    }
  }

  /** Removes the remains of dead processes, and files beyond a smaller budget. */
  async tidy(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const leaving = await this.#locked(async (db) => {
        const stale = await db.query(LEAVE_STALE);
        const { used } = await roomOf(db, '');
        const over = used - this.#budget;
        return over <= 0 ? stale : [...stale, ...(await db.query(CHOOSE, [null, over]))];
      });
      if (leaving.length === 0) break;
      await this.remove(leaving);
    }
    await this.#locked((db) => db.query(FORGET_EMPTY));
  }

  async seen({ kind, digest }: RemoteMediaId, key: string): Promise<void> {
    await this.#db.query(SEEN, [kind, digest, key]);
  }

  async usage(): Promise<CacheUsage> {
    const rows = await this.#db.query(USAGE);
    const figures = rows.map((row) => ({ ...row, bytes: Number(row.bytes), files: Number(row.files) }));
    const { bytes = 0, files = 0 } = figures.find(({ scope }) => scope === 'all') ?? {};
    const classes = figures.filter(({ scope }) => scope === 'class');
    return {
      budget: this.#budget,
      bytes,
      files,
      classes: classes.map((each) => ({ name: each.name, bytes: each.bytes, files: each.files })),
    };
  }

  /** @returns whether it has its place, or the files to remove first; none when no file can be removed */
  async #tryReserve(file: NewFile): Promise<boolean | LeavingFile[]> {
    const share = Math.floor(this.#budget / HOST_SHARE);
    if (file.bytes > share) return false;
    return this.#locked(async (db) => {
      const { used, usedByHost } = await roomOf(db, file.host);
      const overByHost = usedByHost + file.bytes - share;
      if (overByHost > 0) return db.query(CHOOSE, [file.host, overByHost]);
      const over = used + file.bytes - this.#budget;
      if (over > 0) return db.query(CHOOSE, [null, over]);
      const { kind, digest, variant, host, key, bytes, still } = file;
      const row = [kind, digest, variant, file.class, host, key, bytes, still];
      if ((await db.query(INSERT, row)).length === 0) return false;
      await db.query(COUNT, [file.class, host, bytes]);
      return true;
    });
  }

  #locked<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (db) => {
      await db.query(LOCK);
      return work(db);
    });
  }
}

async function roomOf(db: Db, host: string): Promise<{ used: number; usedByHost: number }> {
  const [row] = await db.query(ROOM, [host]);
  return { used: Number(row?.used ?? 0), usedByHost: Number(row?.used_by_host ?? 0) };
}
