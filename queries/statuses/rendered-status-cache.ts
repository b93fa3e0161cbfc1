import { LRUCache } from 'lru-cache';
import type { Instance } from '#kernel/context.ts';
import { bytesOf } from '#kernel/json-pieces.ts';
import { type Db, sourceOf, statement } from '#kernel/read.ts';
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_VERSIONS,
  accountJson,
  type AccountRow,
  type AccountVersions,
  sameAccount,
} from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { type SharedRow, type SharedStatus, sharedStatus } from '../entities/shared-status.ts';
import type { FoundStatus, OwnRow } from '../entities/status.ts';
import {
  sameShared,
  SHARED_COLUMNS,
  SHARED_JOINS,
  SHARED_VERSIONS,
  type SharedVersions,
} from '../entities/status-columns.ts';

/** The columns of a status `s` besides the viewer's own; `withShared` adds the rest. */
export const VERSIONS = `${SHARED_VERSIONS}, ${ACCOUNT_VERSIONS}`;

export interface Versions extends SharedVersions, AccountVersions {
  id: string;
}

/** `find.ts` explains the select around the array. */
const FIND = statement<SharedRow & AccountRow & Versions>(
  'statuses_shared',
  `select s.id, ${VERSIONS}, ${SHARED_COLUMNS}, ${ACCOUNT_COLUMNS}
   from unnest((select $1::bigint[])) as asked (id)
   join statuses s on s.id = asked.id join accounts a on a.id = s.account_id ${SHARED_JOINS}`,
);

/** The maximum of cached bytes; a character of `plain` counts as one. */
const STATUSES_SIZE = 4_000_000;
const ACCOUNTS_SIZE = 2_000_000;

/**
 * Fills in the part that is the same for every viewer. Statuses that this process has rendered before, and
 * whose rows are unchanged in the database, are neither read nor rendered again. Deleted rows are left out.
 * At most one statement. The version of a row is the transaction that wrote it (`xmin`), so every change is
 * seen. Transaction ids may repeat when Postgres loses the last ones in a crash, which also ends all
 * connections: therefore a new connection clears the cache.
 */
export async function withShared<Row extends OwnRow & Versions>(
  db: Db,
  instance: Instance,
  rows: readonly Row[],
): Promise<FoundStatus<Row>[]> {
  const cache = cacheOf(db, instance);
  const found = cache.find(rows);
  const missing = rows.filter((_, index) => found[index] === undefined);
  if (missing.length === 0) return found as FoundStatus<Row>[];
  const read = await cache.read([...new Set(missing.map(({ id }) => id))]);
  return rows.flatMap((own, index) => {
    const shared = read.get(own.id);
    return found[index] ?? (shared ? { ...shared, own } : []);
  });
}

type Shared = Omit<FoundStatus, 'own'>;

/** Bytes, not strings: a reply copies them as they are. */
class RenderedStatusCache {
  readonly #db: Db;
  readonly #instance: Instance;
  readonly #statuses = new LRUCache<string, { versions: SharedVersions; shared: SharedStatus }>({
    maxSize: STATUSES_SIZE,
    sizeCalculation: ({ shared: { head, ownHead, content, card_author, counters, plain } }) =>
      head.length +
      (ownHead?.length ?? 0) +
      content.length +
      (card_author?.rest.length ?? 0) +
      counters.length +
      plain.length +
      OVERHEAD,
  });
  readonly #accounts = new LRUCache<
    string,
    { versions: AccountVersions; account: Buffer; sensitized: boolean; media_rejected: boolean }
  >({ maxSize: ACCOUNTS_SIZE, sizeCalculation: ({ account }) => account.length + OVERHEAD });
  #connections: number | undefined;
  #emojis = 0;

  constructor(db: Db, instance: Instance) {
    this.#db = db;
    this.#instance = instance;
  }

  /** Returns undefined for a row that must be read. */
  find<Row extends OwnRow & Versions>(rows: readonly Row[]): (FoundStatus<Row> | undefined)[] {
    this.#forgetWhatChanged();
    return rows.map((own) => {
      const status = this.#statuses.get(own.id);
      if (!status || !sameShared(status.versions, own)) return undefined;
      const account = this.#accounts.get(status.shared.account_id);
      if (!account || !sameAccount(account.versions, own)) return undefined;
      // Rendered when the author's posts were marked as sensitive by staff, and no longer are, or the
      // reverse.
      if (account.sensitized !== (status.shared.ownHead !== undefined)) return undefined;
      if (account.media_rejected !== status.shared.media_rejected) return undefined;
      return { shared: status.shared, account: account.account, own };
    });
  }

  async read(ids: readonly string[]): Promise<ReadonlyMap<string, Shared>> {
    const before = this.#connections;
    const rows = await this.#db.query(FIND, [ids]);
    this.#forgetWhatChanged();
    const kept = before === this.#connections;
    // An author is rendered once for all their statuses: a statement sees one version of the account.
    const accounts = new Map<string, Buffer>();
    return new Map(
      rows.map((row) => {
        const shared = sharedStatus(row, this.#instance);
        const bytes = {
          ...shared,
          head: bytesOf([shared.head]),
          ownHead: shared.ownHead && bytesOf([shared.ownHead]),
          content: bytesOf([shared.content]),
          card_author: shared.card_author && {
            ...shared.card_author,
            rest: bytesOf([shared.card_author.rest]),
          },
        };
        const account =
          accounts.get(row.account_id) ?? bytesOf([fillOrigins(accountJson(row), this.#instance)]);
        accounts.set(row.account_id, account);
        if (kept) {
          const { status_version, status_stats_version } = row;
          this.#statuses.set(row.id, { versions: { status_version, status_stats_version }, shared: bytes });
          const { account_version, account_stats_version, moved_version } = row;
          this.#accounts.set(row.account_id, {
            versions: { account_version, account_stats_version, moved_version },
            account,
            sensitized: row.sensitized,
            media_rejected: row.media_rejected,
          });
        }
        return [row.id, { shared: bytes, account }];
      }),
    );
  }

  /** The cached texts contain emojis, so all of them are stale when emojis change. */
  #forgetWhatChanged(): void {
    const connections = this.#db.connections?.();
    const { revision } = this.#instance.emojis;
    if (connections === this.#connections && revision === this.#emojis) return;
    this.#connections = connections;
    this.#emojis = revision;
    this.#statuses.clear();
    this.#accounts.clear();
  }
}

/** The size of an entry besides its texts. */
const OVERHEAD = 1_000;

const caches = new WeakMap<Db, RenderedStatusCache>();

/** The instance is the same for all requests of one database. */
function cacheOf(db: Db, instance: Instance): RenderedStatusCache {
  const source = sourceOf(db);
  const known = caches.get(source);
  if (known) return known;
  const cache = new RenderedStatusCache(source, instance);
  caches.set(source, cache);
  return cache;
}
