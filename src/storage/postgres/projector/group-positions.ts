import { type Db, statement } from '#kernel/read.ts';

/*
 * The position at which a rebuilt projection joins its group: that of the foremost member. A halted member is behind it, and so is the
 * checkpoint of a projection that this version does not have.
 */

const POSITIONS = statement<{ group: string; position: string }>(
  'group_positions',
  `select "group", max(position) as position from durable.projections where "group" = any($1) group by "group"`,
);
const LOCK = statement<{ position: string }>(
  'group_positions_lock',
  'select position from durable.projections where "group" = $1 order by name, version for update',
);

/** Returns the positions of those groups that have a member, by group. */
export async function groupPositions(db: Db, groups: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await db.query(POSITIONS, [[...new Set(groups)]]);
  return new Map(rows.map(({ group, position }) => [group, BigInt(position)]));
}

/**
 * Locks the checkpoints of a group for the rest of a transaction.
 * @returns its position; undefined without a member
 */
export async function lockGroup(db: Db, group: string): Promise<bigint | undefined> {
  const rows = await db.query(LOCK, [group]);
  const positions = rows.map(({ position }) => BigInt(position));
  return positions.length === 0 ? undefined : positions.reduce((a, b) => (a > b ? a : b));
}
