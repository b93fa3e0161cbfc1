import { QuotePolicyChanged, StatusPinned, StatusUnpinned } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const PIN = statement(
  'status_pins_insert',
  'insert into status_pins (status_id, account_id, pin_id) select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])',
);
export const UNPIN = statement('status_pins_delete', 'delete from status_pins where status_id = any($1)');
const SET_QUOTE_POLICY = statement(
  'statuses_quote_policy',
  `update statuses s set quote_policy = n.policy from unnest($1::bigint[], $2::text[]) as n (id, policy)
   where s.id = n.id`,
);
const byStatus = ({ data }: { data: { id: string } }): string[] => [data.id];

/** Pins and quote policies. */
export const pinAndPolicyHandlers: readonly BoundHandler[] = [
  on(StatusPinned, {
    keys: byStatus,
    apply: async (events, db) => {
      const pins = events.map(({ data }) => data);
      await db.query(PIN, [
        pins.map(({ id }) => id),
        pins.map(({ account_id }) => account_id),
        pins.map(({ pin_id }) => pin_id),
      ]);
    },
  }),
  on(StatusUnpinned, {
    keys: byStatus,
    apply: async (events, db) => {
      await db.query(UNPIN, [events.map(({ data }) => data.id)]);
    },
  }),
  on(QuotePolicyChanged, {
    keys: byStatus,
    apply: async (events, db) => {
      await db.query(SET_QUOTE_POLICY, [
        events.map(({ data }) => data.id),
        events.map(({ data }) => data.quote_policy),
      ]);
    },
  }),
];
