import { LRUCache } from 'lru-cache';
import type { Instance } from '../../src/kernel/context.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import type { AccountBodyRow } from '../entities/account.ts';
import { fillHosts } from '../entities/ready-json.ts';
import { STATUS_BODY_COLUMNS, type StatusBodyRow } from '../entities/status.ts';

/** What a statement selects of a status `s` and its author `a` to have the rest filled in by `withBodies`. */
export const BODY_VERSIONS = 's.id, s.xmin as status_version, a.id as account_id, a.xmin as account_version';

export interface BodyVersions {
  id: string;
  status_version: number;
  account_id: string;
  account_version: number;
}

/** What is the same for every reader, with the hosts filled in. `plain` is the text that filters look through. */
export type Bodies = AccountBodyRow & StatusBodyRow & { plain: string };
type StatusBody = StatusBodyRow & Pick<Bodies, 'plain'>;

const FIND = statement(
  'status_bodies',
  `select ${BODY_VERSIONS}, ${STATUS_BODY_COLUMNS}, s.plain, a.body as account_body, a.suspended
   from statuses s join accounts a on a.id = s.account_id where s.id = any($1)`,
);

/** Characters that are kept at most. */
const STATUSES_SIZE = 4_000_000;
const ACCOUNTS_SIZE = 2_000_000;

/**
 * Fills in what is the same for every reader: rows that this process has read before, and still stand in the database as
 * they were, do not come over the wire again. Rows that are gone by now are left out. At most one statement.
 *
 * The version of a row is the transaction that wrote it (`xmin`), so a change that anybody makes to it is always seen. Ids of
 * transactions may come again when Postgres loses the last ones in a crash, which also ends all connections: therefore
 * nothing is kept over the making of a new one.
 */
export async function withBodies<Row extends BodyVersions>(
  db: Db,
  instance: Instance,
  rows: readonly Row[],
): Promise<(Row & Bodies)[]> {
  const cache = cacheOf(db);
  const found = rows.map((row) => cache.fill(row));
  if (!found.includes(undefined)) return found as (Row & Bodies)[];
  const missing = rows.filter((_, index) => found[index] === undefined);
  const read = await cache.read([...new Set(missing.map(({ id }) => id))], instance);
  return rows.flatMap((row, index) => {
    const bodies = read.get(row.id);
    return found[index] ?? (bodies ? [{ ...row, ...bodies }] : []);
  });
}

class BodyCache {
  readonly #db: Db;
  readonly #statuses = new LRUCache<string, { version: number; body: StatusBody }>({
    maxSize: STATUSES_SIZE,
    sizeCalculation: ({ body }) => body.body.length + body.content.length + body.plain.length + OVERHEAD,
  });
  readonly #accounts = new LRUCache<string, { version: number; body: AccountBodyRow }>({
    maxSize: ACCOUNTS_SIZE,
    sizeCalculation: ({ body }) => body.account_body.length + OVERHEAD,
  });
  #connections: number | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Undefined where it has to be read. */
  fill<Row extends BodyVersions>(row: Row): (Row & Bodies) | undefined {
    this.#forgetWhenReconnected();
    const status = this.#statuses.get(row.id);
    const account = this.#accounts.get(row.account_id);
    return status?.version === row.status_version && account?.version === row.account_version
      ? { ...row, ...status.body, ...account.body }
      : undefined;
  }

  async read(ids: readonly string[], instance: Instance): Promise<ReadonlyMap<string, Bodies>> {
    this.#forgetWhenReconnected();
    const before = this.#connections;
    const rows = await this.#db.query<Bodies & BodyVersions>(FIND, [ids]);
    this.#forgetWhenReconnected();
    const kept = before === this.#connections;
    return new Map(
      rows.map(({ status_version, account_version, account_body, suspended, ...row }) => {
        const status = {
          ...row,
          body: fillHosts(row.body, instance),
          card: row.card && fillHosts(row.card, instance),
        };
        const account = {
          account_id: row.account_id,
          account_body: fillHosts(account_body, instance),
          suspended,
        };
        if (kept) {
          this.#statuses.set(status.id, { version: status_version, body: status });
          this.#accounts.set(status.account_id, { version: account_version, body: account });
        }
        return [status.id, { ...status, ...account }];
      }),
    );
  }

  #forgetWhenReconnected(): void {
    const connections = this.#db.connections?.();
    if (connections === this.#connections) return;
    this.#connections = connections;
    this.#statuses.clear();
    this.#accounts.clear();
  }
}

/** What an entry takes besides its texts, in characters. */
const OVERHEAD = 500;

const caches = new WeakMap<Db, BodyCache>();

function cacheOf(db: Db): BodyCache {
  const known = caches.get(db);
  if (known) return known;
  const cache = new BodyCache(db);
  caches.set(db, cache);
  return cache;
}
