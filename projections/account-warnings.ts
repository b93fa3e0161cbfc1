import { AppealApproved, AppealFiled, AppealRejected, AppealWithdrawn } from '#events/appeals.ts';
import { AccountErased, PersonalDataErased } from '#events/erasure.ts';
import { AccountWarned, UserRejected } from '#events/moderation.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { columns, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';

const INSERT = statement(
  'account_warnings_insert',
  `insert into account_warnings (id, account_id, action, text, report_id, status_ids, staff_account_id, created_at)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[],
     $8::timestamptz[])`,
);
const FILE = statement(
  'appeals_insert',
  `insert into appeals (id, account_id, strike_id, text, state, note, created_at)
   select id, account_id, strike_id, text, 'pending', '', created_at
   from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[])
     as n (id, account_id, strike_id, text, created_at)`,
);
const CLOSE = statement(
  'appeals_close',
  `update appeals a set state = n.state, note = n.note, decided_by_account_id = n.staff_account_id, closed_at = n.at
   from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
     as n (id, state, note, staff_account_id, at)
   where a.id = n.id`,
);
const OVERRULE = statement(
  'account_warnings_overrule',
  `update account_warnings w set overruled_at = n.at from unnest($1::bigint[], $2::timestamptz[]) as n (id, at)
   where w.id = n.id`,
);
/** An erased user's appeals need no decision. */
const ABANDON = statement(
  'appeals_abandon',
  `update appeals set state = 'withdrawn' where account_id = any($1::bigint[]) and state = 'pending'`,
);
const ERASE = statement(
  'account_warnings_erase',
  `with appealed as (
     update appeals set text = '', note = '' where account_id = any($1::bigint[]) and (text <> '' or note <> ''))
   update account_warnings set text = '' where account_id = any($1::bigint[]) and text <> ''`,
);

const staffOf = ({ metadata }: RecordedEvent): string | null => metadata.actor?.account_id ?? null;
const timeOf = ({ metadata }: RecordedEvent): string => metadata.time;

type Closed = RecordedEvent<string, { id: string; strike_id: string; note?: string }>;

/** The effect of an event on an appeal. A withdrawal is no decision. */
const closes = (state: 'approved' | 'rejected' | 'withdrawn') => ({
  keys: ({ data }: Closed): string[] => [data.strike_id],
  apply: async (events: readonly Closed[], db: Db) => {
    await db.query(CLOSE, [
      events.map(({ data }) => data.id),
      events.map(() => state),
      events.map(({ data }) => data.note ?? ''),
      events.map((event) => (state === 'withdrawn' ? null : staffOf(event))),
      events.map(timeOf),
    ]);
    if (state !== 'approved') return;
    await db.query(OVERRULE, [events.map(({ data }) => data.strike_id), events.map(timeOf)]);
  },
});

/** Strikes: the actions of staff against accounts, their messages, and the appeals. */
export const accountWarnings: Projection = {
  name: 'account-warnings',
  version: 5,
  group: MAIN,
  tables: {
    /** `status_ids` is a JSON text; `staff_account_id` is null for the operator. */
    account_warnings: `
      id bigint primary key,
      account_id bigint not null,
      action text not null,
      text text not null,
      report_id bigint,
      status_ids text not null,
      staff_account_id bigint,
      created_at timestamptz not null,
      overruled_at timestamptz`,
    /** `closed_at` is the time of the decision or withdrawal. */
    appeals: `
      id bigint primary key,
      account_id bigint not null,
      strike_id bigint not null unique,
      text text not null,
      state text not null,
      note text not null,
      created_at timestamptz not null,
      decided_by_account_id bigint,
      closed_at timestamptz`,
  },
  handlerIndexes: [
    'create index account_warnings_account on account_warnings (account_id, id desc)',
    'create index appeals_account on appeals (account_id)',
  ],
  indexes: [
    'create index appeals_state on appeals (state, id desc)',
    'create index account_warnings_report on account_warnings (report_id) where report_id is not null',
    `create index account_warnings_reported on account_warnings (created_at)
       where report_id is not null or action = 'delete_statuses'`,
  ],
  handlers: [
    on(AccountWarned, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        await db.query(INSERT, [
          ...columns(events, 'id', 'account_id', 'action', 'text', 'report_id'),
          events.map(({ data }) => JSON.stringify(data.status_ids)),
          events.map(staffOf),
          events.map(timeOf),
        ]);
      },
    }),
    on(AppealFiled, {
      keys: ({ data }) => [data.strike_id],
      apply: async (events, db) => {
        await db.query(FILE, [
          ...columns(events, 'id', 'account_id', 'strike_id', 'text'),
          events.map(timeOf),
        ]);
      },
    }),
    on(AppealWithdrawn, closes('withdrawn')),
    on(AppealApproved, closes('approved')),
    on(AppealRejected, closes('rejected')),
    onAccounts(AccountErased, ABANDON),
    onAccounts(UserRejected, ABANDON),
    onAccounts(PersonalDataErased, ERASE),
  ],
};
