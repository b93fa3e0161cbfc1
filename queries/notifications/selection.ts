import { z } from 'zod';
import { isId } from '#kernel/ids.ts';
import { formBoolean, formStringArray } from '#kernel/input.ts';
import { type KeysetStatement, keysetStatement } from '#kernel/paging.ts';
import { NOTIFICATION_TYPES } from '#mastodon/notification-types.ts';
import { notificationShownTo } from '../visibility/notifications.ts';

const types = formStringArray(50, 60, { words: NOTIFICATION_TYPES }).default([]);

/** The requested types and accounts. Unknown ones match nothing. */
export const selectionParameters = {
  types: types.describe('Types of notifications; only these count, all of them by default.'),
  exclude_types: types.describe('Types of notifications to leave out.'),
  account_id: z
    .string()
    .max(40)
    .optional()
    .describe('The ID of an account; only notifications from it are counted or listed.'),
  include_filtered: formBoolean
    .optional()
    .describe('Whether filtered notifications are included; false by default.'),
};

export interface Selection {
  types: readonly string[];
  exclude_types: readonly string[];
  account_id?: string | undefined;
  include_filtered?: boolean | null | undefined;
}

/**
 * A statement in two forms: for one account's notifications, which have an index of their own, and for all.
 */
export interface SelectionStatements<Row> {
  fromOne: KeysetStatement<Row>;
  fromAll: KeysetStatement<Row>;
}

/**
 * `text` gets the order and the conditions on `notifications n` and, for other rows of the same group, on
 * `m`.
 */
export const selectionStatements = <Row>(
  name: string,
  text: (order: 'asc' | 'desc', selected: string, ofGroup: string) => string,
): SelectionStatements<Row> => {
  const form = (suffix: string, from: (alias: string) => string): KeysetStatement<Row> =>
    keysetStatement(`${name}_${suffix}`, (order) =>
      text(
        order,
        `n.account_id = $1 and n.id < $2 and n.id > $3 and n.type = any($5) and ($6 or not n.filtered)
           ${from('n')} and ${notificationShownTo('$1')}`,
        `($6 or not m.filtered) ${from('m')}`,
      ),
    );
  return {
    fromOne: form('from', (alias) => `and ${alias}.from_account_id = $7`),
    fromAll: form('all', () => 'and $7::bigint is null'),
  };
};

/** Returns the form for a selection, and its values from $5 on. */
export function select<Row>(
  { fromOne, fromAll }: SelectionStatements<Row>,
  { types, exclude_types, account_id, include_filtered }: Selection,
): { keyset: KeysetStatement<Row>; values: unknown[] } {
  const wanted = NOTIFICATION_TYPES.filter(
    (type) => (types.length === 0 || types.includes(type)) && !exclude_types.includes(type),
  );
  const one = account_id !== undefined && account_id !== '';
  return {
    keyset: one ? fromOne : fromAll,
    values: [wanted, include_filtered === true, one ? (isId(account_id) ? account_id : '0') : null],
  };
}
