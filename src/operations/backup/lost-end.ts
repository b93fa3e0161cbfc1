import type { Db } from '#kernel/read.ts';
import type { Database } from '#storage/postgres/db.ts';
import { type AcceptedLoss, noteLoss } from './restores.ts';

/** Describes what a backup knew of events that the log does not have. */
export interface Behind {
  /** The position of the last event of the log. */
  head: bigint;
  /** The last position that the backup knew. */
  reached: bigint;
  /** Events of the largest checkpoint in the backup; 0 without one. */
  recorded: number;
  /** The number of checkpoints that were dropped. */
  checkpoints: number;
  /** The number of reactors that were moved to the end of the log. */
  reactors: number;
}

/**
 * Forgets what the rows of a backup know of events after the end of the log.
 * @param position the last position that the read models knew
 * @returns what that was; undefined when the log has all of these events
 */
export async function forgetBehind(
  transaction: Db,
  head: bigint,
  position: bigint,
): Promise<Behind | undefined> {
  const [known] = await transaction.query<{ reached: string; recorded: string }>(
    `select greatest($1::bigint, (select max(position) from durable.log_checkpoints), (select max(position) from durable.reactors))
       as reached, (select coalesce(max(tree_size), 0) from durable.log_checkpoints) as recorded`,
    [String(position)],
  );
  await transaction.query('delete from durable.log_subtrees where last_position > $1', [String(head)]);
  await transaction.query('delete from durable.log_tiles where last_position > $1', [String(head)]);
  const checkpoints = await transaction.query(
    'delete from durable.log_checkpoints where position > $1 returning position',
    [String(head)],
  );
  const reactors = await putReactorsBack(transaction, head);
  const reached = BigInt(known?.reached ?? 0);
  if (reached <= head) return undefined;
  return { head, reached, recorded: Number(known?.recorded ?? 0), checkpoints: checkpoints.length, reactors };
}

/** Moves reactors that are ahead of the log to its end; nothing is reacted to twice. @returns their number */
async function putReactorsBack(transaction: Db, head: bigint): Promise<number> {
  const moved = await transaction.query(
    'update durable.reactors set position = $1 where position > $1 returning name',
    [String(head)],
  );
  await transaction.query('delete from durable.set_aside_events where position > $1', [String(head)]);
  return moved.length;
}

/**
 * Forgets, in one transaction, everything that the database knows of lost events: the positions of read
 * models, reactors and the tree of the log. From then on no server starts before the read models are rebuilt
 * (`refuseUnfinishedRestore`).
 * @param covered events of the largest checkpoint that the log agrees with; later checkpoints are deleted
 */
export async function forgetLostEnd(db: Database, loss: AcceptedLoss, covered: number): Promise<void> {
  await db.transaction(async (transaction) => {
    // Without checkpoints of projections, the next start builds all of them from the log.
    await transaction.query('delete from durable.projections');
    await dropBuilds(transaction, loss.position);
    // Hashes are recomputed from the log. If it grew after the loss, hashes of lost events may be at
    // positions that it has.
    await transaction.query('delete from durable.log_subtrees');
    await transaction.query('delete from durable.log_tiles');
    await transaction.query('delete from durable.log_verifications');
    await transaction.query('delete from durable.log_checkpoints where tree_size > $1', [covered]);
    await putReactorsBack(transaction, BigInt(loss.position));
    await noteLoss(transaction, loss);
  });
}

/** Interrupted builds would be resumed, and builds of a lost moment could be served. */
async function dropBuilds(transaction: Db, position: string): Promise<void> {
  const rows = await transaction.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace
     where nspname ~ '^(build|verify)_' or (nspname ~ '^as_of_[0-9]+$' and substr(nspname, 7)::numeric > $1)`,
    [position],
  );
  for (const { name } of rows) await transaction.query(`drop schema ${name} cascade`);
}
