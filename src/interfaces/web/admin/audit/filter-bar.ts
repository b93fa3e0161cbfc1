import { checkField, selectField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink, tabs } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import type { AuditAction, AuditActor } from '#mastodon/audit-log.ts';
import type { AuditApplication } from '#mastodon/schemas/index.ts';
import { AUDIT } from '../addresses.ts';
import { momentField } from '../moments.ts';
import { actName, TOPICS } from './acts.ts';
import { addressOf, type Conditions } from './filter.ts';

const ROLES = ['Owner', 'Admin', 'Moderator'];
const KINDS: Readonly<Record<AuditActor, string>> = {
  user: 'People with an account',
  operator: 'The operator (command line)',
  automation: 'Automations',
  remote: 'Other servers',
};

const of = (titles: readonly string[]): string[] =>
  TOPICS.filter(({ title }) => titles.includes(title)).flatMap(({ acts }) => Object.keys(acts));
const REVERSALS: readonly AuditAction[] = [
  'account.enabled',
  'account.unsensitized',
  'account.unsilenced',
  'account.unsuspended',
  'status.unsensitized',
  'appeal.approved',
  'report.reopened',
  'domain_block.deleted',
];

/** The questions that auditors ask most. */
const VIEWS: readonly (readonly [text: string, actions: readonly string[]])[] = [
  ['Everything', []],
  ['Sanctions', of(['Accounts: sanctions', 'Posts'])],
  ['Reversals', REVERSALS],
  ['Reports and appeals', of(['Reports and appeals'])],
  ['Servers', of(['Servers and addresses'])],
  ['Settings', of(['Settings of the server'])],
];

/** Renders links to the same conditions with other actions. */
export function viewTabs(conditions: Conditions): Html {
  const addressWith = (action: readonly string[]): string => addressOf(AUDIT, conditions, { action });
  const sorted = (actions: readonly string[]): string => actions.toSorted().join();
  const current = VIEWS.find(([, actions]) => sorted(actions) === sorted(conditions.action));
  return tabs(
    'Views of the audit log',
    VIEWS.map(([text, actions]) => ({ href: addressWith(actions), text })),
    current ? addressWith(current[1]) : '',
  );
}

/** Renders the conditions as a form, whose result has an address that can be shared. */
export const filterBar = (conditions: Conditions, applications: readonly AuditApplication[]): Html =>
  html`<form class="box audit-filter" method="get" action="${AUDIT}" role="search" aria-label="Audit log">
    <div class="filter-bar">
      ${field('actor', 'Done by', conditions, '@name')} ${field('target', 'Done to', conditions, '@name')}
      <div>${momentField({ name: 'from', label: 'From (UTC)', value: conditions.from })}</div>
      <div>${momentField({ name: 'until', label: 'Before (UTC)', value: conditions.until })}</div>
    </div>
    ${moreConditions(conditions, applications)} ${actionChoice(conditions)}
    <div class="buttons">
      <button>${icon('funnel')}Filter</button>
      ${buttonLink(AUDIT, 'Clear', { look: 'plain' })}
    </div>
  </form>`;

function moreConditions(conditions: Conditions, applications: readonly AuditApplication[]): Html {
  const { role, actor_kind, application_id, status, report, domain, correlation_id, reads } = conditions;
  const isUsed =
    [role, actor_kind].some(({ length }) => length > 0) ||
    reads ||
    [application_id, status, report, domain, correlation_id].some((text) => text !== '');
  return html`<details id="more-conditions" ${isUsed && html`open`}>
    <summary>More filters</summary>
    <div class="filter-bar">
      <div>
        ${selectField({
          name: 'application_id',
          label: 'App',
          chosen: application_id,
          choices: [
            { value: '', label: 'Any' },
            ...applications.map(({ id, name }) => ({ value: id, label: name ?? `${id} (deleted)` })),
          ],
        })}
      </div>
      ${field('domain', 'Server', conditions, 'example.org')} ${field('status', 'Post ID', conditions)}
      ${field('report', 'Report ID', conditions)}
    </div>
    <div class="action-topics">
      ${choice(
        'role',
        'Role',
        role,
        ROLES.map((name) => [name, name]),
      )}
      ${choice('actor_kind', 'Kind of actor', actor_kind, Object.entries(KINDS))}
    </div>
    ${
      correlation_id !== '' &&
      html`<div class="filter-bar">${field('correlation_id', 'Command', conditions)}</div>`
    }
    ${checkField({ name: 'reads', value: '1', label: 'Include views of the log', checked: reads })}
  </details>`;
}

const choice = (
  name: string,
  title: string,
  chosen: readonly string[],
  choices: readonly (readonly [value: string, label: string])[],
): Html =>
  html`<fieldset>
    <legend>${title}</legend>
    ${choices.map(([value, label]) =>
      checkField({
        name: `${name}[]`,
        id: `${name}-${value}`,
        value,
        label,
        checked: chosen.includes(value),
      }),
    )}
  </fieldset>`;

const field = (
  name: 'actor' | 'target' | 'domain' | 'status' | 'report' | 'correlation_id',
  label: string,
  conditions: Conditions,
  placeholder?: string,
): Html =>
  html`<div>
    ${textField(
      {
        name,
        label,
        value: conditions[name],
        autocomplete: 'off',
        ...(placeholder !== undefined && { placeholder }),
      },
      320,
    )}
  </div>`;

const actionChoice = ({ action }: Conditions): Html =>
  html`<details id="chosen-actions">
    <summary>Actions: ${action.length === 0 ? 'any' : chosenText(action)}</summary>
    <div class="action-topics">
      ${TOPICS.map(
        ({ title, acts }) =>
          html`<fieldset>
            <legend>${title}</legend>
            ${Object.keys(acts).map((name) =>
              checkField({
                name: 'action[]',
                id: `action-${name}`,
                value: name,
                label: actName(name as AuditAction),
                checked: action.includes(name),
              }),
            )}
          </fieldset>`,
      )}
    </div>
  </details>`;

function chosenText(actions: readonly string[]): string {
  const names = actions.slice(0, 3).map((name) => actName(name as AuditAction));
  const more = actions.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
