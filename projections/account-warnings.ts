import { AppealApproved, AppealFiled, AppealRejected, AppealWithdrawn } from '#events/appeals.ts';
import { AccountErased, PersonalDataErased } from '#events/erasure.ts';
import { AccountWarned, StrikeMailed, UserRejected } from '#events/moderation.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import {
  bigint,
  boolean,
  jsonText,
  table,
  tablesOf,
  text,
  textOf,
  timestamptz,
  together,
} from '#kernel/table/index.ts';

export const WARNINGS = table(
  'account_warnings',
  {
    id: bigint,
    account_id: bigint,
    action: text,
    text,
    report_id: bigint.orNull,
    status_ids: jsonText<readonly string[]>(),
    /** Null for the operator. */
    staff_account_id: bigint.orNull,
    created_at: timestamptz,
    overruled_at: timestamptz.nullAtFirst,
    /** Whether staff chose to tell the user. */
    notified: boolean,
    /** The mail to the user, as it was sent; null before that. */
    mailed_at: timestamptz.nullAtFirst,
    mail_subject: text.nullAtFirst,
    mail_text: text.nullAtFirst,
  },
  ['id'],
);
export const APPEALS = table(
  'appeals',
  {
    id: bigint,
    account_id: bigint,
    strike_id: bigint,
    text,
    state: textOf<'pending' | 'approved' | 'rejected' | 'withdrawn'>(),
    note: text,
    created_at: timestamptz,
    decided_by_account_id: bigint.nullAtFirst,
    /** The time of the decision or withdrawal. */
    closed_at: timestamptz.nullAtFirst,
  },
  ['id'],
  ['strike_id'],
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
   update account_warnings set text = '', mail_text = null where account_id = any($1::bigint[])
     and (text <> '' or mail_text is not null)`,
);

const staffOf = ({ metadata }: RecordedEvent): string | null => metadata.actor?.account_id ?? null;

type Closed = RecordedEvent<string, { id: string; strike_id: string; note?: string }>;

const keys = ({ data }: { data: { strike_id: string } }): string[] => [data.strike_id];
/** Returns the step that closes an appeal. A withdrawal is no decision. */
const closes = (state: 'approved' | 'rejected' | 'withdrawn') =>
  APPEALS.set('state', 'note', 'decided_by_account_id', 'closed_at').each((event: Closed) => ({
    id: event.data.id,
    state,
    note: event.data.note ?? '',
    decided_by_account_id: state === 'withdrawn' ? null : staffOf(event),
    closed_at: event.metadata.time,
  }));

/** Strikes: the actions of staff against accounts, their messages, and the appeals. */
export const accountWarnings: Projection = {
  name: 'account-warnings',
  version: 6,
  group: MAIN,
  tables: tablesOf(WARNINGS, APPEALS),
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
      apply: WARNINGS.insert().each((event) => ({
        ...event.data,
        staff_account_id: staffOf(event),
        created_at: event.metadata.time,
      })),
    }),
    on(StrikeMailed, {
      keys,
      apply: WARNINGS.set('mailed_at', 'mail_subject', 'mail_text').each(({ data, metadata: { time } }) => ({
        id: data.strike_id,
        mailed_at: time,
        mail_subject: data.subject,
        mail_text: data.text === '' ? null : data.text,
      })),
    }),
    on(AppealFiled, {
      keys,
      apply: APPEALS.insert().each(({ data, metadata: { time } }) => ({
        ...data,
        state: 'pending' as const,
        note: '',
        created_at: time,
      })),
    }),
    on(AppealWithdrawn, { keys, apply: closes('withdrawn') }),
    on(AppealApproved, {
      keys,
      apply: together(
        closes('approved'),
        WARNINGS.set('overruled_at').each(({ data, metadata: { time } }) => ({
          id: data.strike_id,
          overruled_at: time,
        })),
      ),
    }),
    on(AppealRejected, { keys, apply: closes('rejected') }),
    onAccounts(AccountErased, ABANDON),
    onAccounts(UserRejected, ABANDON),
    onAccounts(PersonalDataErased, ERASE),
  ],
};
