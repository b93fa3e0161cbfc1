import type { Db, Statement } from '#kernel/read.ts';
import type { Database } from '#storage/postgres/db.ts';

export interface WatchedLocks {
  db: Database;
  /** The checkpoints of a group are locked at this moment. */
  isHeld: () => boolean;
  /** How long they were locked each time, in milliseconds. */
  held: number[];
}

const textOf = (asked: Statement | string): string => (typeof asked === 'string' ? asked : asked.text);
const locksGroup = (asked: Statement | string): boolean =>
  /from durable\.projections[^;]*for update/s.test(textOf(asked));

/** Passes everything on to a database, and notes how long its transactions hold the checkpoints of groups. */
export function watchGroupLocks(db: Database): WatchedLocks {
  const held: number[] = [];
  let holders = 0;
  const transaction = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    let since: number | undefined;
    const watched = (inner: Db): Db => ({
      query: async (asked, values) => {
        const rows = await inner.query(asked, values);
        if (since === undefined && locksGroup(asked)) {
          since = performance.now();
          holders += 1;
        }
        return rows;
      },
    });
    try {
      return await db.transaction((inner) => work(watched(inner)));
    } finally {
      if (since !== undefined) {
        holders -= 1;
        held.push(performance.now() - since);
      }
    }
  };
  return {
    db: { query: db.query, transaction, pipeline: db.pipeline, close: db.close },
    isHeld: () => holders > 0,
    held,
  };
}
