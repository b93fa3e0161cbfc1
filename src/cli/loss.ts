import type { Stores } from '#app/stores.ts';
import { RookeryError } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { newestCheckpoint, type Verdict } from '#operations/transparency-log/index.ts';
import { differentStart, missingEnd } from '#storage/eventlog/identity.ts';
import { showProgress } from './progress.ts';

/** A log that ends too early, described as far as the database can tell. */
export interface Loss {
  /** The position of the log's last event. */
  position: string;
  /** When it happened, ISO 8601. */
  ends_at: string;
  /** The last position of the log that the database knows. */
  reached: bigint;
  /** Events of the largest checkpoint that the log agrees with; 0 without one. */
  covered: number;
  /** The comparison with the signed checkpoints; undefined without checkpoints. */
  verdict: Verdict | undefined;
  /** Events of the largest signed tree. */
  recorded: number;
  /** Local posts and accounts made after the last event; undefined without read models. */
  made: { posts: number; accounts: number } | undefined;
}

const PAGE = 2_048;
const LARGEST = statement<{ size: string }>(
  'loss_largest_checkpoint',
  'select coalesce(max(tree_size), 0) as size from durable.log_checkpoints',
);
const THERE = statement<{ there: boolean }>(
  'loss_read_models',
  `select to_regclass('statuses') is not null and to_regclass('accounts') is not null as there`,
);
const MADE = statement<{ posts: number; accounts: number }>(
  'loss_made_since',
  `select (select count(*) from statuses where local and created_at > $1)::int as posts,
     (select count(*) from accounts where domain is null and created_at > $1)::int as accounts`,
);

/**
 * Compares the log with everything that the database knows of it.
 * @throws RookeryError `conflict` when it is another log, or when nothing is missing
 */
export async function lossOf({ db, store, transparencyLog }: Stores): Promise<Loss> {
  const other = await differentStart(store, db);
  if (other !== undefined) {
    throw new RookeryError('conflict', `This is not the log that the read models are made of: ${other}`);
  }
  const end = await missingEnd(store, db);
  if (!end) {
    throw new RookeryError(
      'conflict',
      'The log reaches as far as everything that was made of it: nothing is lost',
    );
  }
  const { verdict, lastPage } = await compare({ db, transparencyLog });
  const { last: ends_at, latest } = await timesAtEnd(store, lastPage);
  const [largest] = await db.query(LARGEST);
  return {
    ends_at,
    position: String(end.head),
    reached: end.reached,
    covered: verdict ? verdict.events - verdict.uncovered : 0,
    verdict,
    recorded: Number(largest?.size ?? 0),
    made: await madeSince(db, latest),
  };
}

/** Also returns the position before the last page of events. */
async function compare({
  db,
  transparencyLog,
}: Pick<Stores, 'db' | 'transparencyLog'>): Promise<{ verdict: Verdict | undefined; lastPage: bigint }> {
  if (!(await newestCheckpoint(db))) return { verdict: undefined, lastPage: 0n };
  let [before, last] = [0n, 0n];
  const progress = showProgress('Comparing the log with its checkpoints');
  const verdict = await transparencyLog
    .verify([], undefined, (reached) => {
      [before, last] = [last, reached.position];
      progress.update(reached);
    })
    .finally(progress.stop);
  return { verdict, lastPage: before };
}

/** Concurrent requests may append their events in another order than they read the clock. */
async function timesAtEnd(store: Stores['store'], after: bigint): Promise<{ last: string; latest: string }> {
  let [last, latest] = ['', ''];
  for (let from = after; ;) {
    const page = await store.readAll(from, PAGE);
    for (const { metadata } of page) {
      last = (JSON.parse(metadata) as { time: string }).time;
      if (last > latest) latest = last;
    }
    const end = page.at(-1);
    if (!end) return { last, latest };
    from = end.position;
  }
}

async function madeSince(db: Db, time: string): Promise<Loss['made']> {
  const [models] = await db.query(THERE);
  if (models?.there !== true) return undefined;
  return (await db.query(MADE, [time]))[0];
}

/** Describes a loss for the operator, in whole sentences. */
export function describeLoss({ position, ends_at, reached, covered, verdict, recorded, made }: Loss): string {
  const missing = verdict === undefined ? 0 : recorded - verdict.events;
  const agrees = covered > 0 ? `It agrees with its checkpoints up to event ${covered}.` : '';
  return [
    `The log ends at position ${position}, with an event of ${ends_at}.`,
    `The database knows it up to position ${reached}.`,
    ...(missing > 0 ? [`At least ${missing} of ${recorded} recorded events are lost.`] : []),
    ...(agrees === '' ? [] : [agrees]),
    ...(verdict?.problem === undefined ? [] : [`${verdict.problem}.`]),
    ...(made ? [`Lost with them: ${made.posts} posts and ${made.accounts} accounts of this server.`] : []),
    'Lost as well: everything else that users and staff did since then, and what arrived from other servers.',
    'Kept: keys, passwords, sessions, files, erasures, jobs, and what waits to be sent to other servers.',
  ].join('\n');
}
