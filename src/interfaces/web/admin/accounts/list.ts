import { type Choice, selectField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { day } from '#interfaces/web/entities/texts.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import { roleOf, rolesThatMay } from '#mastodon/permissions.ts';
import type { AdminAccount } from '#mastodon/schemas/index.ts';
import { ACCOUNTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { personLink, stateBadges } from '../moderation/people.ts';
import { ORIGINS } from '../moderation/words.ts';
import { problemWith } from '../problem-with.ts';
import { recordList, type RecordTable } from '../record-list.ts';

const PAGE = 40;
const MOST = 255;

const CHOICES: Readonly<
  Record<'origin' | 'status' | 'role_ids', { label: string; choices: readonly Choice[] }>
> = {
  origin: { label: 'Server', choices: ORIGINS },
  status: {
    label: 'State',
    choices: [
      { value: '', label: 'Any' },
      { value: 'active', label: 'Not suspended' },
      { value: 'pending', label: 'Pending' },
      { value: 'disabled', label: 'Frozen' },
      { value: 'silenced', label: 'Limited' },
      { value: 'sensitized', label: 'Sensitive' },
      { value: 'suspended', label: 'Suspended' },
    ],
  },
  role_ids: {
    label: 'Role',
    choices: [
      { value: '', label: 'Any' },
      { value: 'staff', label: 'Staff' },
      ...rolesThatMay('manage_reports').map((name) => ({ value: roleOf(name).id, label: name })),
      { value: '-99', label: 'No role' },
    ],
  },
};
const TEXTS = {
  username: 'Username',
  display_name: 'Display name',
  email: 'E-mail address',
  by_domain: 'Domain',
  ip: 'IP address',
} as const;
const FILTERS = [...Object.keys(CHOICES), ...Object.keys(TEXTS)];

type Filters = Readonly<Record<string, string>>;

/** All accounts that this server knows, by any mix of filters. */
export const accountsPage = consolePage({
  path: ACCOUNTS,
  permission: 'manage_users',
  show: async (request) => {
    const { query } = request;
    const filters = Object.fromEntries(
      FILTERS.flatMap((name) => {
        const value = query.get(name)?.trim() ?? '';
        return value === '' ? [] : [[name, value]];
      }),
    );
    const found = await accountsWith(request, filters).catch(problemWith);
    const isWrong = typeof found === 'string';
    return {
      title: 'Accounts',
      ...(isWrong && { status: 400 }),
      body: html`${isWrong && problemBox({ problems: [found] })} ${filterBar(filters)}
      ${recordList(request, isWrong ? { entity: [], next: undefined } : found, accountTable(request))}`,
    };
  },
});

/** Throws for words that the API does not know. */
function accountsWith({ api, query }: SignedInRequest, filters: Filters) {
  const { role_ids, ...others } = filters;
  const role = role_ids === 'staff' ? { permissions: 'staff' } : role_ids && { role_ids: [role_ids] };
  const asked = { limit: String(PAGE), ...others, ...(role || {}), ...placeIn(query) };
  return api('GET v2/admin/accounts', { query: asked });
}

export const accountTable = (request: SignedInRequest): RecordTable<AdminAccount> => ({
  columns: ['Account', 'State', 'Role', { title: 'E-mail address', breaks: true }, 'IP address', 'Joined'],
  cells: (account) => cellsOf(account, request),
  caption: 'Accounts, newest first',
  empty: { icon: 'users', text: 'No account matches these filters.' },
});

const cellsOf = (account: AdminAccount, request: SignedInRequest): Html[] => [
  personLink(account.account, request),
  stateBadges(account),
  html`${account.role.name}`,
  html`${account.email}`,
  html`${account.ip}`,
  day(account.created_at),
];

const filterBar = (filters: Filters): Html =>
  html`<form class="box filter-bar" method="get" action="${ACCOUNTS}" aria-label="Filter">
    ${Object.entries(CHOICES).map(
      ([name, { label, choices }]) =>
        html`<div>${selectField({ name, label, choices, chosen: filters[name] ?? '' })}</div>`,
    )}
    ${Object.entries(TEXTS).map(
      ([name, label]) =>
        html`<div>${textField({ name, label, autocomplete: 'off', value: filters[name] ?? '' }, MOST)}</div>`,
    )}
    <div class="buttons">
      <button type="submit" class="plain">Filter</button>
      ${Object.keys(filters).length > 0 && buttonLink(ACCOUNTS, 'Reset', { look: 'plain' })}
    </div>
  </form>`;
