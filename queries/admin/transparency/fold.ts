import { AccountSuspended, AccountUnsuspended, UserDisabled, UserEnabled } from '#events/accounts.ts';
import { DomainBlocked, DomainUnblocked } from '#events/admin-domain-blocks.ts';
import {
  AppealApproved,
  AppealFiled,
  AppealRejected,
  type AppealState,
  AppealWithdrawn,
} from '#events/appeals.ts';
import { AccountErased } from '#events/erasure.ts';
import {
  AccountSensitized,
  AccountSilenced,
  AccountUnsensitized,
  AccountUnsilenced,
  AccountWarned,
  type StrikeAction,
  UserRejected,
} from '#events/moderation.ts';
import {
  type ReportCategory,
  ReportFiled,
  ReportReopened,
  ReportResolved,
  ReportUpdated,
} from '#events/reports.ts';
import { StatusRemoved, StatusSensitized, StatusUnsensitized } from '#events/statuses.ts';
import type { AnyEvent, RecordedEvent } from '#kernel/event.ts';
import { actorKindOf, actorOf } from '#mastodon/audit-log.ts';
import type { MeasureKind } from '#mastodon/transparency.ts';
import { decidedBy, type Facts, meansOf } from './facts.ts';
import { type Act, emptyLog, factsIn, type Log, type Report } from './log-facts.ts';

type Handler = (event: RecordedEvent, log: Log) => void;

const timeOf = ({ metadata }: RecordedEvent): string => metadata.time;
/** The fields of these events; each has those that its handler reads. */
interface Data {
  id: string;
  account_id: string;
  strike_id: string;
  action: StrikeAction;
  report_id: string | null;
  category: ReportCategory | undefined;
}

const dataOf = ({ data }: RecordedEvent): Data => data as Data;

const act =
  (list: 'measures' | 'reversals', kind: MeasureKind, joins: Act['joins']): Handler =>
  (event, log) => {
    const { time, command_id } = event.metadata;
    const made: Act = {
      month: time.slice(0, '2026-11'.length),
      kind,
      means: meansOf(actorKindOf(event.metadata)),
      strike: undefined,
      report: undefined,
      appealed: false,
      joins,
    };
    log[list].push(made);
    const key = `${command_id} ${dataOf(event).account_id}`;
    if (joins) log.together.set(key, [...(log.together.get(key) ?? []), made]);
  };

/** Owners who delete their account suspend it too, which is no measure. */
const byOthers = ({ metadata: { actor, rule, remote }, data }: RecordedEvent): boolean =>
  actor ? actor.account_id !== (data as Data).account_id : rule !== undefined && remote === undefined;

const ofPost =
  (kind: MeasureKind): Handler =>
  (event, log) => {
    if (log.strikesOfPosts.has(dataOf(event).strike_id)) return;
    act('measures', kind, 'status')(event, log);
  };

const KIND_OF_STRIKE: Partial<Record<StrikeAction, MeasureKind>> = {
  delete_statuses: 'post_deletion',
  mark_statuses_as_sensitive: 'post_sensitive',
};

const struck: Handler = (event, log) => {
  const { id, account_id, action, report_id } = dataOf(event);
  const reasons = { strike: id, report: report_id ?? undefined };
  log.strikes.set(id, { report: reasons.report, decided: decidedBy(actorOf(event.metadata)) });
  if (report_id !== null) log.answered.add(report_id);
  const joined = (log.together.get(`${event.metadata.command_id} ${account_id}`) ?? []).filter(
    ({ strike }) => strike === undefined,
  );
  for (const each of joined) Object.assign(each, reasons);
  if (joined.length > 0) return;
  act('measures', KIND_OF_STRIKE[action] ?? 'warning', 'account')(event, log);
  Object.assign(log.measures.at(-1) ?? {}, reasons);
  if (KIND_OF_STRIKE[action]) log.strikesOfPosts.add(id);
};

const closes =
  (state: AppealState): Handler =>
  (event, log) => {
    const appeal = log.appeals.get(dataOf(event).id);
    if (appeal) Object.assign(appeal, { state, closed: timeOf(event) });
  };

const approved: Handler = (event, log) => {
  closes('approved')(event, log);
  const key = `${event.metadata.command_id} ${dataOf(event).account_id}`;
  for (const each of log.together.get(key) ?? []) if (each.joins === 'account') each.appealed = true;
};

const abandoned: Handler = (event, log) => {
  for (const appeal of log.appeals.values())
    if (appeal.account === dataOf(event).account_id && appeal.state === 'pending') appeal.state = 'withdrawn';
};

const changed =
  (change: (report: Report, event: RecordedEvent) => void): Handler =>
  (event, log) => {
    const report = log.reports.get(dataOf(event).id);
    if (report) change(report, event);
  };

const HANDLERS: readonly (readonly [AnyEvent, Handler])[] = [
  [AccountSensitized, act('measures', 'account_sensitive', 'account')],
  [AccountSilenced, act('measures', 'account_limit', 'account')],
  [UserDisabled, act('measures', 'account_freeze', 'account')],
  [
    AccountSuspended,
    (event, log) => byOthers(event) && act('measures', 'account_suspension', 'account')(event, log),
  ],
  [StatusRemoved, ofPost('post_deletion')],
  [StatusSensitized, ofPost('post_sensitive')],
  [DomainBlocked, act('measures', 'server_block', undefined)],
  [AccountWarned, struck],
  [AccountUnsensitized, act('reversals', 'account_sensitive', 'account')],
  [AccountUnsilenced, act('reversals', 'account_limit', 'account')],
  [UserEnabled, act('reversals', 'account_freeze', 'account')],
  [AccountUnsuspended, act('reversals', 'account_suspension', 'account')],
  [StatusUnsensitized, act('reversals', 'post_sensitive', undefined)],
  [DomainUnblocked, act('reversals', 'server_block', undefined)],
  [
    ReportFiled,
    (event, log) => {
      const { id, category = 'other' } = dataOf(event);
      log.reports.set(id, { filed: timeOf(event), decided: undefined, category });
    },
  ],
  [ReportResolved, changed((report, event) => void (report.decided = timeOf(event)))],
  [ReportReopened, changed((report) => void (report.decided = undefined))],
  [
    ReportUpdated,
    changed((report, event) => {
      report.category = dataOf(event).category ?? report.category;
    }),
  ],
  [
    AppealFiled,
    (event, log) => {
      const { id, account_id: account, strike_id: strike } = dataOf(event);
      log.appeals.set(id, { filed: timeOf(event), closed: undefined, account, strike, state: 'pending' });
    },
  ],
  [AppealWithdrawn, closes('withdrawn')],
  [AppealRejected, closes('rejected')],
  [AppealApproved, approved],
  [AccountErased, abandoned],
  [UserRejected, abandoned],
];

const BY_TYPE: ReadonlyMap<string, Handler> = new Map(HANDLERS.map(([{ type }, handler]) => [type, handler]));

/** The types of events that a transparency report depends on. */
export const REPORTED_TYPES: ReadonlySet<string> = new Set(BY_TYPE.keys());

/** Gathers facts from the events of a log, from its start and in their order. */
export function factsOfLog(): { take: (event: RecordedEvent) => void; facts: () => Facts } {
  const log = emptyLog();
  return { take: (event) => BY_TYPE.get(event.type)?.(event, log), facts: () => factsIn(log) };
}
