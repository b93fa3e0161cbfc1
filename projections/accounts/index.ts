import {
  AccountCreated,
  AccountUpdated,
  emptyProfile,
  type Profile,
  profileSchema,
} from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import { AccountMoveCancelled, AccountMoved } from '#events/moves.ts';
import { AccountLinkVerified, withVerified } from '#events/verified-links.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { tablesOf } from '#kernel/table/index.ts';
import { reversedHost } from '#mastodon/host-name.ts';
import { domainRuleTable } from '../domain-rules.ts';
import { accountBody, acctKeyOf } from './body.ts';
import { counterHandlers } from './counter-handlers.ts';
import { accountDomainRules } from './domain-rules.ts';
import { flagHandlers } from './flags.ts';
import { FORGET, namesHandlers } from './names.ts';
import { changeProfiles, setFlags } from './rewrite.ts';
import { ACCOUNTS, REBLOGS, STATS } from './tables.ts';

const profileKeys = Object.keys(profileSchema.shape) as (keyof Profile)[];

const INSERT = ACCOUNTS.insert();
const MOVE = ACCOUNTS.set('moved_to', 'moved_with_followers');

const ERASE = statement(
  'accounts_erase',
  `with stats as (delete from account_stats where account_id = any($1::bigint[]))
   update accounts set role = null, moved_to = null, moved_with_followers = false where id = any($1::bigint[])`,
);

/** Accounts as everyone sees them, with their counters. */
export const accounts: Projection = {
  name: 'accounts',
  version: 24,
  group: MAIN,
  tables: tablesOf(ACCOUNTS, domainRuleTable('account_domain_rules'), STATS, REBLOGS),
  handlerIndexes: [
    `create index accounts_domain on accounts ((${reversedHost('domain')})) where domain is not null`,
  ],
  indexes: [
    'create unique index accounts_acct on accounts (acct_key)',
    'create index accounts_uri on accounts using hash (uri)',
    'create index accounts_url on accounts using hash (url)',
    'create index accounts_moved on accounts (moved_to) where moved_to is not null',
    'create index accounts_discoverable on accounts (id desc) where discoverable',
  ],
  handlers: [
    on(AccountCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const rows = events.map(({ data }) => ({ identity: data, profile: pickProfile(data) }));
        await INSERT.from(
          rows.map(({ identity, profile }) => ({
            ...identity,
            acct_key: acctKeyOf(identity),
            profile,
            body: accountBody({ ...identity, role: null }, profile),
          })),
          db,
        );
        await setFlags(rows, db);
        const remote = rows.filter(({ identity }) => identity.domain !== null);
        await accountDomainRules.apply(
          remote.map(({ identity }) => identity.id),
          db,
        );
      },
    }),
    on(AccountUpdated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const changes = events.map(
          ({ data }) =>
            [
              data.id,
              (before: Profile) => ({ ...before, ...pickProfile(data as Partial<Profile>) }),
            ] as const,
        );
        await changeProfiles(new Map(changes), db);
      },
    }),
    on(AccountLinkVerified, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        const verify = events.map(
          ({ data }) =>
            [
              data.account_id,
              (before: Profile) => ({ ...before, fields: withVerified(before.fields, data) }),
            ] as const,
        );
        await changeProfiles(new Map(verify), db);
      },
    }),
    ...flagHandlers,
    ...accountDomainRules.handlers,
    // Barriers: another account with that name may follow.
    onAccounts(UserRejected, FORGET),
    ...namesHandlers,
    // A barrier for its counters. The account itself stays, because its name stays taken and its posts may
    // have replies.
    on(PersonalDataErased, {
      apply: async (events, db) => {
        const ids = events.map(({ data }) => data.account_id);
        await db.query(ERASE, [ids]);
        await changeProfiles(new Map(ids.map((id) => [id, () => emptyProfile])), db);
      },
    }),
    on(AccountMoved, {
      keys: ({ data }) => [data.account_id],
      apply: MOVE.each(({ data }) => ({
        id: data.account_id,
        moved_to: data.target_account_id,
        moved_with_followers: data.with_followers,
      })),
    }),
    on(AccountMoveCancelled, {
      keys: ({ data }) => [data.account_id],
      apply: MOVE.each(({ data }) => ({ id: data.account_id, moved_to: null, moved_with_followers: false })),
    }),
    ...counterHandlers,
  ],
};

function pickProfile(data: Partial<Profile>): Profile {
  const present = profileKeys.filter((key) => data[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, data[key]])) as Profile;
}
