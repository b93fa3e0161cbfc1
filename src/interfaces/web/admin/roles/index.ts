import { selectField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { dataTable } from '#interfaces/web/design/data-table.ts';
import { handleField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { nameOf } from '#interfaces/web/entities/byline.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest, WebPage } from '#interfaces/web/page/page.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import type { Account, AdminRole } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { PERMISSION_TEXTS } from './permission-texts.ts';

const ROLES = '/admin/roles';
const BACK = [ROLES, 'Roles'] as const;
const EVERYONE = '-99';

const rolesOf = async ({ api }: SignedInRequest): Promise<AdminRole[]> =>
  (await api('GET v1/admin/roles')).entity;

/** `/admin/roles`: the roles, what they may do, and who has them. */
const rolesPage = consolePage({
  path: ROLES,
  permission: 'manage_roles',
  show: async (request) => ({
    title: 'Roles',
    actions: buttonLink(`${ROLES}/give`, 'Give a role', { icon: 'user-plus' }),
    body: html`<p class="quiet">
        The roles are fixed. You can give those up to your own, to users below you. The operator of the server
        gives the others on the command line.
      </p>
      ${(await rolesOf(request)).toReversed().map(roleBox)}`,
  }),
});

const roleBox = ({ id, name, permissions, users_count, accounts }: AdminRole): Html =>
  html`<section class="box">
    <h2>${name || 'Everyone else'}</h2>
    <ul class="permissions" aria-label="Permissions">
      ${permissions.map((each) => html`<li class="state">${PERMISSION_TEXTS[each] ?? each}</li>`)}
      ${permissions.length === 0 && html`<li class="state">Nothing beyond their own account</li>`}
    </ul>
    ${users_count === 0 && html`<p class="quiet">No user has this role.</p>`}
    ${accounts.length > 0 && memberTable(id, name, accounts)}
    ${users_count !== null && users_count > accounts.length && html`<p class="quiet">${counted(users_count - accounts.length, 'more user')} in all.</p>`}
  </section>`;

const memberTable = (roleId: string, role: string, accounts: readonly Account[]): Html =>
  dataTable(
    [{ title: 'User' }, { title: 'Username' }, { title: 'Actions' }],
    accounts.map((account) => ({
      cells: [
        nameOf(account),
        html`<a href="/@${account.acct}" dir="ltr">@${account.acct}</a>`,
        rowLinks(account.username, [[`${ROLES}/${roleId}/${account.id}`, 'Change the role']]),
      ],
    })),
    { caption: `Users with the role ${role}` },
  );

const WHAT_HAPPENS =
  'The change takes effect at once, and signs the user out everywhere: apps, browsers and this console.';

const choicesOf = (roles: readonly AdminRole[]) =>
  roles.map(({ id, name }) => ({ value: id, label: name || 'No role' }));

/** `/admin/roles/give`: to a user by name. */
const giveRolePage = actPage({
  path: `${ROLES}/give`,
  permission: 'manage_roles',
  ask: async (request, tried) => {
    const roles = await rolesOf(request);
    return {
      title: 'Give a role',
      text: WHAT_HAPPENS,
      fields: html`${handleField({ name: 'username', label: 'Username', hint: 'Of a user of this server.', value: tried?.fields['username'] ?? '', problems: tried?.byField?.['username'] })}
      ${selectField({ name: 'role_id', label: 'Role', choices: choicesOf(roles.filter(({ id }) => id !== EVERYONE)), chosen: tried?.fields['role_id'] ?? '' })}`,
      label: 'Give the role',
      back: BACK,
    };
  },
  act: async (request, { username = '', role_id = '' }) => {
    const id = await localAccount(request, username);
    await request.api('PUT v1/admin/accounts/:id/role', { params: { id }, body: { role_id } });
    return saying(ROLES, 'role_changed');
  },
});

/** Returns the id of a user of this server. @throws RookeryError `invalid` for any other name */
async function localAccount({ api }: SignedInRequest, username: string): Promise<string> {
  const problem = { error: 'ERR_UNKNOWN', description: 'is not that of a user of this server' };
  const unknown = invalid('There is no such user', { username: [problem] });
  const acct = username.trim().replace(/^@/, '');
  if (acct === '' || acct.includes('@')) throw unknown;
  try {
    return (await api('GET v1/accounts/lookup', { query: { acct } })).entity.id;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') throw unknown;
    throw error;
  }
}

/** `/admin/roles/:role/:id`: another role for a user, or none. */
const changeRolePage = actPage({
  path: `${ROLES}/:role/:id`,
  permission: 'manage_roles',
  ask: async (request, tried) => {
    const { role: given, id } = request.params;
    const [roles, { entity: account }] = await Promise.all([
      rolesOf(request),
      request.api('GET v1/accounts/:id', { params: { id } }),
    ]);
    return {
      title: `Change the role of @${account.acct}`,
      text: WHAT_HAPPENS,
      fields: selectField({
        name: 'role_id',
        label: 'Role',
        choices: choicesOf(roles),
        chosen: tried?.fields['role_id'] ?? given,
      }),
      label: 'Change the role',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params: { id } }, { role_id = '' }) => {
    await api('PUT v1/admin/accounts/:id/role', { params: { id }, body: { role_id } });
    return saying(ROLES, 'role_changed');
  },
});

/** The roles of staff. */
export const adminRolePages: readonly WebPage[] = [rolesPage, giveRolePage, changeRolePage];
