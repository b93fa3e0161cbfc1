import { PersonalDataErased } from '#events/erasure.ts';
import { MarkersMoved } from '#events/markers.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const MOVE = statement(
  'markers_move',
  `insert into markers (account_id, move, home, notifications)
   select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[])
   on conflict (account_id) do update set
     move = excluded.move, home = excluded.home, notifications = excluded.notifications`,
);

/**
 * The reading positions of accounts: each marker as JSON text, and the number of moves before the last one.
 */
export const markers: Projection = {
  name: 'markers',
  version: 2,
  group: MAIN,
  tables: {
    markers: `
      account_id bigint primary key,
      move integer not null,
      home text,
      notifications text`,
  },
  indexes: [],
  handlers: [
    on(MarkersMoved, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        const moves = events.map(({ data }) => data);
        await db.query(MOVE, [
          moves.map(({ account_id }) => account_id),
          moves.map(({ move }) => move),
          moves.map(({ home }) => home && JSON.stringify(home)),
          moves.map(({ notifications }) => notifications && JSON.stringify(notifications)),
        ]);
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('markers')),
  ],
};
