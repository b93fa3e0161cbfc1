import { type Html, html } from '#interfaces/web/design/html.ts';
import type { AuditTarget } from '#mastodon/audit-log.ts';
import type { AuditChange, AuditEntry } from '#mastodon/schemas/index.ts';
import { replayPath } from '../addresses.ts';

/** Fields whose names are words of the API rather than of people. */
const NAMES: Readonly<Record<string, string>> = {
  silenced: 'limited',
  sensitized: 'marked as sensitive',
  marked_by_staff: 'marked as sensitive',
  disabled: 'frozen',
  action_taken: 'resolved',
  assigned_account_id: 'assigned to',
  account_id: 'account',
  application_id: 'app',
  rule_ids: 'rules',
  reject_media: 'media refused',
  reject_reports: 'reports refused',
  obfuscate: 'name hidden in public',
  two_factor: 'two-factor sign-in',
  email: 'e-mail address',
  trendable: 'allowed to trend',
  note: 'bio',
  fields: 'extra fields',
  avatar: 'profile picture',
  discoverable: 'can be discovered',
  indexable: 'posts can be searched',
  locked: 'approves followers',
  bot: 'automated',
  confirmed: 'e-mail address confirmed',
  approved: 'sign-up approved',
};

type Value = AuditChange['before'];

/** Returns the name of a field in plain words. */
export const fieldName = (field: string): string => NAMES[field] ?? field.replaceAll('_', ' ');

/** Returns a value in plain words. */
export function valueText(value: Value): string {
  if (value === null || value === '') return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}

/** The handles of the accounts that an entry names, by their ids. */
type Names = ReadonlyMap<unknown, string>;

/** Renders a change: `limited: no → yes`. */
const changeText = ({ before, after, shown }: AuditChange, names: Names, label: Html): Html => {
  const text = (value: Value): string => names.get(value) ?? valueText(value);
  return shown === 'withheld'
    ? html`${label}: changed, and not kept here`
    : html`${changedText(label, text(before), text(after))}${shown === 'cut' && ' (cut)'}`;
};

/** Renders a name with its value before and after. */
export const changedText = (label: Html, before: string, after: string): Html =>
  html`${label}: <del>${before}</del> <span aria-hidden="true">→</span><span class="hush"> becomes </span>
    <ins>${after}</ins>`;

/** Names a field; a setting has a history of its own. */
const labelOf = ({ field }: AuditChange, target: AuditTarget | undefined): Html =>
  target === 'settings'
    ? html`<a class="field" href="${replayPath('setting', field)}">${fieldName(field)}</a>`
    : html`<span class="field">${fieldName(field)}</span>`;

/** Renders all changes of an entry. */
export function changeList({ actor, targets, changes }: AuditEntry): Html | false {
  const accounts = [
    ...targets.filter(({ type }) => type === 'account'),
    { ...actor.account, name: actor.account?.acct },
  ];
  const names: Names = new Map(accounts.flatMap(({ id, name }) => (id && name ? [[id, `@${name}`]] : [])));
  const real = changes.filter(
    ({ before, after, shown }) => shown !== 'whole' || valueText(before) !== valueText(after),
  );
  return (
    real.length > 0 &&
    html`<ul class="changes">
      ${real.map((change) => html`<li>${changeText(change, names, labelOf(change, targets[0]?.type))}</li>`)}
    </ul>`
  );
}
