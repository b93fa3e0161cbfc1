import { DEFAULT_SETTINGS } from '#events/instance.ts';
import { thingOf } from './fold.ts';
import type { Subject } from './view.ts';
import type { Past } from './world.ts';

/** Types of events that change who sees an account or its posts. */
const OF_ALL_POSTS = new Set([
  ...['AccountSuspended', 'AccountUnsuspended', 'AccountSilenced', 'AccountUnsilenced'],
  ...['AccountSensitized', 'AccountUnsensitized', 'RemoteAccountSuspended', 'RemoteAccountUnsuspended'],
  ...[
    'RemoteAccountGone',
    'AccountErased',
    'PersonalDataErased',
    'UserRejected',
    'UserDisabled',
    'UserEnabled',
  ],
]);

/** Types of events of an account that are part of its history. Preferences of users are not. */
const OF_ACCOUNT = new Set([
  ...OF_ALL_POSTS,
  ...[
    'AccountCreated',
    'AccountUpdated',
    'UserRegistered',
    'UserConfirmed',
    'UserApproved',
    'UserRoleChanged',
  ],
  ...[
    'SignUpAbandoned',
    'AccountWarned',
    'AppealFiled',
    'AppealWithdrawn',
    'AppealApproved',
    'AppealRejected',
  ],
  ...['AccountMoved', 'AccountMoveCancelled', 'AccountRecommended', 'AccountRecommendationEnded'],
  ...[
    'UserPasswordReset',
    'AccountKeysRotated',
    'AccountUriReplaced',
    'RemoteAccountRenamed',
    'RemoteHandleLost',
  ],
]);

const OF_POST = new Set([
  ...['StatusCreated', 'StatusEdited', 'StatusDeleted', 'StatusRemoved', 'StatusSensitized'],
  ...['StatusUnsensitized', 'ReplyRequested', 'ReplyRequestEnded'],
]);

const strikeIdOf = (event: Past): string | undefined => {
  if (event.type === 'AccountWarned') return event.data.id;
  const isAppeal = event.type.startsWith('Appeal');
  return isAppeal && 'strike_id' in event.data ? (event.data.strike_id ?? undefined) : undefined;
};

/** Returns the strikes among these events that belong to a post or a report. */
function strikesOf(events: readonly Past[], { kind, id }: Subject): ReadonlySet<string> {
  const ids = events.flatMap((event) => {
    if (event.type !== 'AccountWarned') return [];
    const { status_ids, report_id } = event.data;
    return (kind === 'status' ? status_ids.includes(id) : report_id === id) ? [event.data.id] : [];
  });
  return new Set(ids);
}

/** Returns the events that are the steps of a subject, from the one that begins it. */
export function stepsOf(events: readonly Past[], subject: Subject): Past[] {
  const { kind, id } = subject;
  if (kind === 'rule') return events.filter((event) => isOfRule(event, id));
  if (kind === 'setting') {
    return events.filter((event) => event.type === 'InstanceSettingsChanged' && id in event.data);
  }
  if (kind === 'domain') return events.filter(({ stream }) => thingOf(stream).id === id);
  const strikes = strikesOf(events, subject);
  const began = events.findIndex(({ stream }) => stream === `${kind}-${id}`);
  if (began === -1) return [];
  return events.slice(began).filter((event) => isStep(event, subject, strikes));
}

function isStep(event: Past, subject: Subject, strikes: ReadonlySet<string>): boolean {
  const { kind } = thingOf(event.stream);
  if (kind === 'status') return OF_POST.has(event.type);
  if (kind === 'account' && subject.kind === 'account') return OF_ACCOUNT.has(event.type);
  if (kind !== 'account') return true;
  const strike = strikeIdOf(event);
  return strike === undefined ? OF_ALL_POSTS.has(event.type) : strikes.has(strike);
}

function isOfRule({ type, data }: Past, id: string): boolean {
  if (type === 'RulesReordered') return 'rule_ids' in data && data.rule_ids.map(String).includes(id);
  return 'rule_id' in data && String(data.rule_id) === id;
}

/** Returns true for the name of a setting. */
export const isSetting = (name: string): boolean => Object.hasOwn(DEFAULT_SETTINGS, name);
