import {
  AccountSuspended,
  AccountUnsuspended,
  UserApproved,
  UserConfirmed,
  UserDisabled,
  UserEmailChanged,
  UserEnabled,
  UserRegistered,
  UserRoleChanged,
} from '#events/accounts.ts';
import { AccountErased } from '#events/erasure.ts';
import {
  AccountKeysRotated,
  AccountUriReplaced,
  RemoteAccountRenamed,
  RemoteHandleLost,
} from '#events/federation.ts';
import {
  AccessTokenIssued,
  AccountSensitized,
  AccountSilenced,
  AccountUnsensitized,
  AccountUnsilenced,
  UserPasswordReset,
  UserRejected,
} from '#events/moderation.ts';
import { AccountAliasAdded, AccountAliasRemoved, AccountMoveCancelled, AccountMoved } from '#events/moves.ts';
import { AccountDataExported, AccountDataImported } from '#events/portability.ts';
import { AccountRecommendationEnded, AccountRecommended } from '#events/suggestions.ts';
import { UserTwoFactorDisabled } from '#events/two-factor.ts';
import type { EventDefinition } from '#kernel/event.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';
import { type Change, change, differences, type Fields, withheld } from './changes.ts';
import type { AuditDetails } from './entries.ts';
import { altered, audited, type AuditRule, byOthers, byStaff } from './rule.ts';
import { strikes } from './strikes.ts';

interface OfAccount {
  account_id: string;
}

const accountKey = ({ account_id }: OfAccount): string => `account/${account_id}`;
const aboutAccount = ({ account_id }: OfAccount): Pick<AuditDetails, 'target' | 'account_id'> => ({
  target: { type: 'account', id: account_id, name: null },
  account_id,
});

/** An entry that depends on the event only. */
const simply = <Type extends string, Data extends OfAccount>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  changes: (data: Data) => Change[],
  when?: AuditRule<Data>['when'],
): BoundHandler =>
  audited(definition, {
    action,
    key: accountKey,
    ...(when ? { when } : {}),
    describe: (data) => ({ ...aboutAccount(data), changes: changes(data) }),
  });

/** An entry with the opposite value before: deciders store no event without a change. */
const turned = <Type extends string, Data extends OfAccount>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  [field, to]: readonly [field: string, to: boolean],
  when?: AuditRule<Data>['when'],
): BoundHandler => simply(definition, action, () => [change(field, !to, to)], when);

/** The values before any event. */
const DEFAULTS: Fields = { role: null, moved_to: null };

export const accountHandlers: readonly BoundHandler[] = [
  // Nothing is known of an account before this event, so nothing is read: most users sign up by themselves.
  audited(UserRegistered, {
    action: 'account.created',
    key: accountKey,
    when: byOthers,
    describe: ({ account_id, role, confirmed, approved }) => ({
      ...aboutAccount({ account_id }),
      changes: [
        change('role', null, role),
        change('confirmed', null, confirmed),
        change('approved', null, approved),
      ],
      ...(role === null ? {} : { state: { role } }),
    }),
  }),
  audited(UserRoleChanged, {
    action: 'account.role_changed',
    key: accountKey,
    compares: true,
    describe: (data, before) => ({
      ...aboutAccount(data),
      ...altered(before, { role: data.role }, DEFAULTS),
    }),
  }),
  turned(UserApproved, 'account.approved', ['approved', true]),
  turned(UserRejected, 'account.rejected', ['rejected', true]),
  turned(UserConfirmed, 'account.confirmed', ['confirmed', true], byOthers),
  simply(UserEmailChanged, 'account.email_changed', () => [withheld('email')], byOthers),
  simply(UserPasswordReset, 'account.password_reset', () => [withheld('password')], byOthers),
  turned(UserTwoFactorDisabled, 'account.two_factor_disabled', ['two_factor', false], byOthers),
  simply(AccessTokenIssued, 'account.token_issued', ({ application_id, scopes }) => [
    change('application_id', null, application_id),
    change('scopes', null, scopes),
  ]),
  turned(UserDisabled, 'account.disabled', ['disabled', true]),
  turned(UserEnabled, 'account.enabled', ['disabled', false]),
  turned(AccountSilenced, 'account.silenced', ['silenced', true]),
  turned(AccountUnsilenced, 'account.unsilenced', ['silenced', false]),
  turned(AccountSensitized, 'account.sensitized', ['sensitized', true]),
  turned(AccountUnsensitized, 'account.unsensitized', ['sensitized', false]),
  // Deleting one's own account suspends it.
  turned(AccountSuspended, 'account.suspended', ['suspended', true], byOthers),
  turned(AccountUnsuspended, 'account.unsuspended', ['suspended', false]),
  turned(AccountErased, 'account.erased', ['erased', true], byOthers),
  simply(AccountKeysRotated, 'account.keys_rotated', () => []),
  simply(AccountUriReplaced, 'account.uri_replaced', ({ former_uri, uri }) => [
    change('uri', former_uri, uri),
  ]),
  simply(RemoteAccountRenamed, 'account.renamed', ({ former_username, username }) => [
    change('username', former_username, username),
  ]),
  simply(RemoteHandleLost, 'account.handle_lost', ({ username, domain, new_account_id }) => [
    change('acct', `${username}@${domain}`, null),
    change('new_account_id', null, new_account_id),
  ]),
  turned(AccountRecommended, 'account.recommended', ['recommended', true]),
  turned(AccountRecommendationEnded, 'account.recommendation_ended', ['recommended', false]),
  simply(AccountAliasAdded, 'account.alias_added', () => [withheld('alias')], byOthers),
  simply(AccountAliasRemoved, 'account.alias_removed', () => [withheld('alias')], byOthers),
  audited(AccountMoved, {
    action: 'account.moved',
    key: accountKey,
    compares: true,
    when: byStaff,
    describe: (data, before) => ({
      ...aboutAccount(data),
      ...altered(before, { moved_to: data.target_account_id }, DEFAULTS),
    }),
  }),
  audited(AccountMoveCancelled, {
    action: 'account.move_cancelled',
    key: accountKey,
    compares: true,
    when: byStaff,
    describe: (data, before) => ({ ...aboutAccount(data), ...altered(before, { moved_to: null }, DEFAULTS) }),
  }),
  strikes(accountKey, aboutAccount),
  simply(AccountDataExported, 'account.data_exported', ({ what }) =>
    differences(null, { what: what.join(',') }),
  ),
  simply(AccountDataImported, 'account.data_imported', ({ what, overwrite, rows }) =>
    differences(null, { what, overwrite, rows }),
  ),
];
