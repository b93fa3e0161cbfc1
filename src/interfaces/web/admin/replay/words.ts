import { type Html, html } from '#interfaces/web/design/html.ts';
import type { IconName } from '#interfaces/web/design/icons.ts';
import type { Audience, Replay, ReplayKind, ReplayName, ReplayStep, Shown } from '#mastodon/schemas/index.ts';
import { fieldName, valueText } from '../audit/fields.ts';
import { CATEGORIES, strikeName } from '../moderation/words.ts';

/** The kinds of subjects, as people call them. */
export const KINDS: Readonly<Record<ReplayKind, string>> = {
  account: 'Account',
  status: 'Post',
  report: 'Report',
  domain: 'Domain',
  rule: 'Rule',
  setting: 'Setting',
};

/** Words and an icon for each type of event; the actor is named beside them. */
const HAPPENED: Readonly<Record<string, readonly [text: string, icon: IconName]>> = {
  AccountCreated: ['created the account', 'user-plus'],
  AccountUpdated: ['changed the profile', 'user-pen'],
  UserRegistered: ['signed up', 'user-plus'],
  UserConfirmed: ['confirmed the e-mail address', 'mail'],
  UserApproved: ['approved the sign-up', 'user-check'],
  UserRejected: ['rejected the sign-up', 'user-x'],
  SignUpAbandoned: ['abandoned the sign-up', 'user-x'],
  UserRoleChanged: ['changed the role', 'id-card'],
  UserPasswordReset: ['set a new password', 'key'],
  UserDisabled: ['froze the account', 'lock'],
  UserEnabled: ['unfroze the account', 'check'],
  AccountSuspended: ['suspended the account', 'ban'],
  AccountUnsuspended: ['lifted the suspension', 'check'],
  AccountSilenced: ['limited the account', 'volume-x'],
  AccountUnsilenced: ['lifted the limit', 'check'],
  AccountSensitized: ['marked all media of the account as sensitive', 'eye-off'],
  AccountUnsensitized: ['lifted the mark as sensitive', 'check'],
  AccountWarned: ['imposed a strike', 'gavel'],
  AppealFiled: ['appealed a strike', 'scale'],
  AppealWithdrawn: ['withdrew an appeal', 'scale'],
  AppealApproved: ['approved an appeal', 'scale'],
  AppealRejected: ['rejected an appeal', 'scale'],
  AccountErased: ['erased the account', 'trash-2'],
  PersonalDataErased: ['destroyed the key of the personal data', 'trash-2'],
  AccountMoved: ['moved the account', 'truck'],
  AccountMoveCancelled: ['cancelled the move', 'truck'],
  AccountRecommended: ['recommended the account', 'star'],
  AccountRecommendationEnded: ['ended the recommendation', 'star'],
  AccountKeysRotated: ['rotated the keys', 'key-round'],
  AccountUriReplaced: ['replaced the address of the account', 'truck'],
  RemoteAccountRenamed: ['renamed the account', 'pencil'],
  RemoteHandleLost: ['gave the handle to another account', 'pencil'],
  RemoteAccountSuspended: ['suspended the account there', 'ban'],
  RemoteAccountUnsuspended: ['lifted the suspension there', 'check'],
  RemoteAccountGone: ['deleted the account', 'trash-2'],
  ReportFiled: ['reported the account', 'flag'],
  ReportAssigned: ['claimed the report', 'flag'],
  ReportUnassigned: ['unassigned the report', 'flag'],
  ReportResolved: ['resolved the report', 'circle-check'],
  ReportReopened: ['reopened the report', 'flag'],
  ReportUpdated: ['changed the report', 'flag'],
  ReportNoteAdded: ['wrote a note', 'message-circle'],
  StatusCreated: ['posted', 'pencil'],
  StatusEdited: ['edited the post', 'pencil'],
  StatusDeleted: ['deleted the post', 'trash-2'],
  StatusRemoved: ['removed the post', 'trash-2'],
  StatusSensitized: ['marked the post as sensitive', 'eye-off'],
  StatusUnsensitized: ['lifted the mark as sensitive', 'check'],
  ReplyRequested: ['asked to reply', 'reply'],
  ReplyRequestEnded: ['ended the request to reply', 'reply'],
  DomainBlocked: ['blocked the domain', 'ban'],
  DomainBlockChanged: ['changed the block of the domain', 'pencil'],
  DomainUnblocked: ['lifted the block of the domain', 'check'],
  DomainAllowed: ['allowed the domain', 'check'],
  DomainDisallowed: ['no longer allowed the domain', 'ban'],
  EmailDomainBlocked: ['blocked e-mail addresses of the domain', 'mail'],
  EmailDomainUnblocked: ['lifted the block of e-mail addresses', 'mail'],
  RuleAdded: ['added the rule', 'plus'],
  RuleEdited: ['changed the rule', 'pencil'],
  RuleTranslationRemoved: ['removed a translation', 'languages'],
  RuleRemoved: ['removed the rule', 'trash-2'],
  RulesReordered: ['changed the order of the rules', 'list'],
  InstanceSettingsChanged: ['changed the setting', 'settings'],
};

/** Returns the words for a type of event, and its icon. */
export const happened = ({ type }: Pick<ReplayStep, 'type'>): readonly [string, IconName] =>
  HAPPENED[type] ?? [`stored the event ${type}`, 'activity'];

export const AUDIENCES: Readonly<Record<Audience, string>> = {
  everyone: 'Everyone',
  limited: 'Everyone, but only followers in their feeds',
  followers: 'Followers',
  mentioned: 'The people mentioned',
  author: 'Only the author',
  staff: 'Only staff',
  nobody: 'Nobody (deleted)',
};

const NAMES: Readonly<Record<string, string>> = {
  audience: 'seen by',
  shown: 'texts',
  domain_severity: 'limit of its server',
  email: 'sign-ups',
  status_ids: 'posts',
  report_id: 'because of',
  resolved_by_account_id: 'resolved by',
  spoiler_text: 'content warning',
  sensitized_by_staff: 'marked as sensitive by staff',
};

const SEVERITIES: Readonly<Record<string, string>> = {
  noop: 'none',
  silence: 'limited',
  suspend: 'suspended',
};

/** Returns the name of a field in plain words, by its path: `reports.12.state`. The subject itself is not named. */
export function fieldWords(path: string, replay: Pick<Replay, 'kind' | 'id' | 'names'>): string {
  const { kind, id: subject } = replay;
  const [group = '', ...rest] = path.split('.');
  const [id, ...below] = rest;
  const last = rest.at(-1) ?? group;
  const name = NAMES[last] ?? fieldName(last);
  const thing = ({ reports: 'report', strikes: 'strike', posts: 'status' } as const)[group];
  const isSubject = id === subject && { reports: 'report', posts: 'status' }[group] === kind;
  if (thing === undefined || (isSubject && below.length <= 1)) return name;
  const called = calledIn(replay, thing, id ?? '');
  return below.length > 1 ? `note on the ${called}` : `${called}: ${name}`;
}

/** Returns the changes of the step. How the author stood at the beginning of a post or a report is none. */
export const changesOf = ({ kind, step, changes }: Replay): Replay['changes'] =>
  step <= 1 && (kind === 'status' || kind === 'report')
    ? changes.filter(({ field }) => !field.startsWith('account.'))
    : changes;

type Value = Replay['changes'][number]['before'];

/** Returns a value in plain words. */
export function valueWords(path: string, value: Value, names: Replay['names'] = []): string {
  const name = path.split('.').at(-1) ?? '';
  if (name === 'audience' && typeof value === 'string') return AUDIENCES[value as Audience];
  if (name.endsWith('severity') && typeof value === 'string') return SEVERITIES[value] ?? value;
  const kind = kindOfValue(name);
  if (kind === undefined || value === null) return valueText(value);
  const words = [value].flat().map((id) => calledIn({ names }, kind, String(id)));
  return words.length === 0 ? valueText(value) : words.join(', ');
}

/** Returns the kind of things whose ids a field has. */
function kindOfValue(field: string): ReplayName['kind'] | undefined {
  if (field.endsWith('account_id') || field === 'moved_to') return 'account';
  return ({ rule_ids: 'rule', status_ids: 'status', report_id: 'report' } as const)[field];
}

/** Returns what people call a thing, or its kind with its id where nothing more is known. */
export function calledIn({ names }: Pick<Replay, 'names'>, kind: ReplayName['kind'], id: string): string {
  const name = names.find((each) => each.kind === kind && each.id === id)?.name;
  const noun = kind === 'status' ? 'post' : kind;
  if (name === undefined) return `${noun} ${id}`;
  switch (kind) {
    case 'account':
      return name;
    case 'report':
      return `report (${CATEGORIES[name as keyof typeof CATEGORIES].toLowerCase()})`;
    case 'strike':
      return `strike (${strikeName(name).toLowerCase()})`;
    default:
      return `${noun} “${name}”`;
  }
}

/** Renders a text of people, or says why it is not there. */
export function textShown(text: string, shown: Shown): Html {
  if (shown === 'erased') return html`<em class="quiet">Erased with the personal data of its author</em>`;
  if (shown === 'withheld') return html`<em class="quiet">Not for your role to read</em>`;
  if (text === '') return html`<em class="quiet">Empty</em>`;
  return html`<span class="quoted">${text}${shown === 'cut' && '…'}</span>`;
}
