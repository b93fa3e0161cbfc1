import { GROUP_SPAN_HOURS, GROUPED_TYPES } from '#events/notifications.ts';
import { type Id, timeOfId } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { NOTIFICATIONS, SPANS } from './tables.ts';

/** A notification that may be in a group with others of its recipient. */
export interface Groupable {
  account_id: Id;
  type: string;
  /** `0` for none. */
  status_id: Id;
  /** Its time decides about its group. */
  id: Id;
}

const NEWEST = statement<Omit<Groupable, 'id'> & { span: number }>(
  'notification_spans_newest',
  `select s.account_id, s.type, s.status_id, s.span
   from (select distinct * from unnest($1::bigint[], $2::text[], $3::bigint[]) as n (account_id, type, status_id)) n
   join notification_spans s using (account_id, type, status_id)`,
);
const PUT = SPANS.put();
const PLACE = NOTIFICATIONS.set('span');
const FORGET = statement(
  'notification_spans_delete',
  `delete from notification_spans s using unnest($1::bigint[], $2::bigint[]) as n (account_id, status_id)
   where s.account_id = n.account_id and s.type in ('favourite', 'reblog') and s.status_id = n.status_id`,
);

const HOUR = 3_600_000;
const groupOf = ({ account_id, type, status_id }: Omit<Groupable, 'id'>): string =>
  `${account_id} ${type} ${status_id}`;

/**
 * The newest groups of some notifications. A group spans twelve hours from the hour of its first notification, as in Mastodon.
 * A notification that is older than the newest group starts another one.
 */
export interface Groups {
  /** Returns the groups of new notifications in the order of the log; null for those that are not grouped. */
  spansOf: (arrived: readonly Groupable[]) => (number | null)[];
  /** Stores the groups that have begun. */
  store: (db: Db) => Promise<void>;
}

/** Reads the newest groups that the notifications may belong to. */
export async function groupsFor(arriving: readonly Groupable[], db: Db): Promise<Groups> {
  const rows = arriving.filter(isGrouped);
  const known = rows.length === 0 ? [] : await db.query(NEWEST, columnsOf(rows));
  const newest = new Map(known.map((row) => [groupOf(row), row.span]));
  const begun = new Map<string, Groupable>();
  const spanOf = (row: Groupable): number => {
    const hour = Math.floor(timeOfId(row.id) / HOUR);
    const span = newest.get(groupOf(row));
    if (span !== undefined && hour >= span && hour < span + GROUP_SPAN_HOURS) return span;
    if (span === undefined || hour > span) {
      newest.set(groupOf(row), hour);
      begun.set(groupOf(row), row);
    }
    return hour;
  };
  return {
    spansOf: (arrived) => arrived.map((row) => (isGrouped(row) ? spanOf(row) : null)),
    store: async (to) => {
      const changed = [...begun.values()];
      await PUT.from(
        changed.map((row) => ({ ...row, span: newest.get(groupOf(row)) ?? 0 })),
        to,
      );
    },
  };
}

const isGrouped = ({ type }: Groupable): boolean => (GROUPED_TYPES as readonly string[]).includes(type);

/** Puts existing notifications, in the order of the log, into groups. */
export async function placeInGroups(arrived: readonly Groupable[], db: Db): Promise<void> {
  const rows = arrived.filter(isGrouped);
  if (rows.length === 0) return;
  const groups = await groupsFor(rows, db);
  const spans = groups.spansOf(rows);
  await PLACE(
    rows.map(({ account_id, id }, index) => ({ account_id, id, span: spans[index] })),
    db,
  );
  await groups.store(db);
}

/** Deletes the groups of interactions with deleted posts. */
export async function forgetGroups(
  deleted: readonly { data: { id: Id; account_id: Id } }[],
  db: Db,
): Promise<void> {
  await db.query(FORGET, [deleted.map(({ data }) => data.account_id), deleted.map(({ data }) => data.id)]);
}

const columnsOf = (rows: readonly Groupable[]): unknown[][] => [
  rows.map(({ account_id }) => account_id),
  rows.map(({ type }) => type),
  rows.map(({ status_id }) => status_id),
];
