import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { LastTry } from '#kernel/services/read-models.ts';
import { type Failure, tried } from './failures.ts';

/**
 * Locks in the order of a rebuild, because two transactions that lock the same rows in different orders could
 * deadlock.
 */
const MOVE = `with mine as (
     select name, version from durable.projections
     where "group" = $2 and (name, version) in (select * from unnest($4::text[], $5::int[]))
     order by name, version for update
   ), moved as (
     update durable.projections p set position = $1, failure = null from mine
     where p.name = mine.name and p.version = mine.version and p.position = $3
     returning p.name
   )`;
const ADVANCE = statement<{ name: string }>('projection_advance', `${MOVE} select name from moved`);
/**
 * Like `ADVANCE`, but fails when fewer than $6 checkpoints are at the position: by a division by zero, since
 * SQL has no `throw`.
 */
const ADVANCE_ALL = statement(
  'projection_advance_all',
  `${MOVE} select 1 / (count(*) = $6::int)::int from moved`,
);
const MEMBERS = statement<MemberRow>(
  'projection_members',
  `select name, position, halted from durable.projections
   where "group" = $1 and (name, version) in (select * from unnest($2::text[], $3::int[]))`,
);
const LOCK = statement<MemberRow>(
  'projection_members_lock',
  `${MEMBERS.text} order by name, version for update`,
);
const FAILED = statement(
  'projection_failed',
  'update durable.projections set failure = $2 where "group" = $1',
);
const HALT = statement(
  'projection_halt',
  `update durable.projections set failure = $3, halted = true, last_try = $4 where "group" = $1 and name = $2`,
);
const JOIN = statement(
  'projection_join',
  `update durable.projections set position = $3, failure = null, halted = false, last_try = $4
   where "group" = $1 and name = $2`,
);
const TRIED = statement(
  'projection_tried',
  'update durable.projections set last_try = $3 where "group" = $1 and name = $2',
);
const GOES_ON = statement(
  'projection_goes_on',
  'update durable.projections set failure = null where "group" = $1 and failure is not null and not halted',
);

interface MemberRow {
  name: string;
  position: string;
  halted: boolean;
}

/** A member of a group, with its checkpoint. */
export interface Member {
  projection: Projection;
  position: bigint;
  /** It is no longer with its group, and its rows stay as they are. */
  halted: boolean;
}

/** The checkpoints of the projections of one group. */
export class GroupMembers {
  readonly #db: Db;
  readonly #group: string;
  readonly #projections: readonly Projection[];

  constructor(db: Db, group: string, projections: readonly Projection[]) {
    this.#db = db;
    this.#group = group;
    this.#projections = projections;
  }

  read = (): Promise<Member[]> => this.#read(MEMBERS, this.#db);

  /** Locks the checkpoints for the rest of a transaction. */
  lock = (db: Db): Promise<Member[]> => this.#read(LOCK, db);

  async #read(asked: typeof MEMBERS, db: Db): Promise<Member[]> {
    const rows = await db.query(asked, [this.#group, ...namesOf(this.#projections)]);
    if (rows.length < this.#projections.length)
      throw new Error(`The projections of group ${this.#group} are not built yet`);
    return rows.flatMap(({ name, position, halted }) => {
      const projection = this.#projections.find((each) => each.name === name);
      return projection ? [{ projection, position: BigInt(position), halted }] : [];
    });
  }

  /** Moves the checkpoints that are at `from`. @returns their names */
  async advance(db: Db, projections: readonly Projection[], from: bigint, to: bigint): Promise<Set<string>> {
    const rows = await db.query(ADVANCE, this.#move(projections, from, to));
    return new Set(rows.map(({ name }) => name));
  }

  /** @throws Error of Postgres when not all checkpoints are at `from` */
  async advanceAll(db: Db, projections: readonly Projection[], from: bigint, to: bigint): Promise<void> {
    await db.query(ADVANCE_ALL, [...this.#move(projections, from, to), projections.length]);
  }

  /** Records the reason why the whole group is stopped. */
  async note(failure: Failure): Promise<void> {
    await this.#db.query(FAILED, [this.#group, JSON.stringify(failure)]);
  }

  /** Halts the projection of a failure; `lastTry` unless it followed its group until now. */
  async halt(failure: Failure, lastTry?: LastTry): Promise<void> {
    const values = [JSON.stringify(failure), lastTry ? JSON.stringify(lastTry) : null];
    await this.#db.query(HALT, [this.#group, failure.projection, ...values]);
  }

  async join(db: Db, { name }: Projection, position: bigint): Promise<void> {
    await db.query(JOIN, [this.#group, name, String(position), JSON.stringify(tried('went_on'))]);
  }

  /** Records that a retry did not get to the event. */
  async noteTry({ name }: Projection, lastTry: LastTry): Promise<void> {
    await this.#db.query(TRIED, [this.#group, name, JSON.stringify(lastTry)]);
  }

  async goesOn(): Promise<void> {
    await this.#db.query(GOES_ON, [this.#group]);
  }

  #move(projections: readonly Projection[], from: bigint, to: bigint): unknown[] {
    return [String(to), this.#group, String(from), ...namesOf(projections)];
  }
}

const namesOf = (projections: readonly Projection[]): [string[], number[]] => [
  projections.map(({ name }) => name),
  projections.map(({ version }) => version),
];
