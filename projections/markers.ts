import { PersonalDataErased } from '#events/erasure.ts';
import { MarkersMoved } from '#events/markers.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, integer, jsonText, table, tablesOf } from '#kernel/table/index.ts';

export const MARKERS = table(
  'markers',
  {
    account_id: bigint,
    /** The number of moves before the last one. */
    move: integer,
    home: jsonText<object>().orNull,
    notifications: jsonText<object>().orNull,
  },
  ['account_id'],
);

/** The reading positions of accounts. */
export const markers: Projection = {
  name: 'markers',
  version: 2,
  group: MAIN,
  tables: tablesOf(MARKERS),
  indexes: [],
  handlers: [
    on(MarkersMoved, {
      keys: ({ data }) => [data.account_id],
      apply: MARKERS.put().each(({ data }) => data),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(MARKERS)),
  ],
};
