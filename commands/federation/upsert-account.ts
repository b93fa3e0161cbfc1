import { isDeepStrictEqual } from 'node:util';
import { type AccountEvent, accountStream, type Profile } from '#events/accounts.ts';
import type { Inboxes } from '#events/federation.ts';
import { verifiedAt } from '#events/verified-links.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account, type ExistingAccount, mayRelocate } from '../accounts/index.ts';
import { accountIdFor } from './account-names.ts';
import { isHidden } from './moves.ts';

/** A remote account as its server describes it, fully checked. */
export interface RemoteAccount {
  username: string;
  /** The domain of the handle: lower case, ASCII. */
  domain: string;
  uri: string;
  url: string;
  /** ISO 8601. */
  createdAt: string;
  profile: Profile;
  /** That server suspended it, and sends no profile. */
  suspended: boolean;
  /** On the host of its URI. */
  inboxes: Inboxes;
}

/**
 * Makes an account of another server known, or takes over what changed. With `confirmed`, WebFinger of the
 * handle led to the URI: only then can an account become known, get another URI, or get another name.
 * @returns its id; undefined when the URI or the handle is something else here, or the account is suspended here or there, or gone
 */
export async function upsertRemoteAccount(
  ctx: CommandContext,
  remote: RemoteAccount,
  { confirmed }: { confirmed: boolean },
): Promise<Id | undefined> {
  const id = await accountIdFor(ctx, remote, { confirmed });
  if (id === undefined) return undefined;
  const confirmedAt = confirmed ? ctx.now : undefined;
  const { state } = await ctx.execute(accountStream(id), account, (known) =>
    decideUpsertRemoteAccount(known, id, remote, confirmedAt),
  );
  const isThere = state.state === 'exists' && !isHidden(state) && state.uri === remote.uri;
  return isThere ? id : undefined;
}

/** Returns the new fields. A field whose value stays is still verified. */
const stillVerified = (known: Profile, { fields }: Profile): Profile['fields'] =>
  fields.map((field) => ({ ...field, verified_at: verifiedAt(known.fields, field.value) }));

/**
 * Returns a new URI or a new name of an account, which WebFinger confirmed at `confirmedAt`; undefined for a new
 * URI that is not taken. A server that changes them too often keeps the last ones. Pure.
 */
function relocation(
  known: ExistingAccount,
  { username, domain, uri, url }: RemoteAccount,
  confirmedAt: string | undefined,
): AccountEvent[] | undefined {
  const { id: account_id, uri: former_uri, username: former_username } = known;
  const isMoved = uri !== former_uri;
  if (confirmedAt === undefined || !mayRelocate(known, confirmedAt)) return isMoved ? undefined : [];
  const isRenamed = (username !== former_username || known.handleLost === true) && domain === known.domain;
  const naming = { account_id, username, former_username, domain, url, renamed_at: confirmedAt };
  return [
    ...(isMoved
      ? [
          {
            type: 'AccountUriReplaced' as const,
            data: { account_id, uri, url, former_uri, replaced_at: confirmedAt },
          },
        ]
      : []),
    ...(isRenamed ? [{ type: 'RemoteAccountRenamed' as const, data: naming }] : []),
  ];
}

/**
 * Returns the changes of the account; `confirmedAt` is as in `relocation`. A locally suspended account changes
 * nothing (GHSA-5h2f-wg8j-xqwp); an account that its own server suspends keeps its profile until it returns.
 * The domain of the handle stays. Pure.
 */
export function decideUpsertRemoteAccount(
  known: Account,
  id: Id,
  remote: RemoteAccount,
  confirmedAt?: string,
): AccountEvent[] {
  const { username, domain, uri, url, createdAt, profile, inboxes, suspended } = remote;
  const suspension: AccountEvent[] = suspended
    ? [{ type: 'RemoteAccountSuspended', data: { account_id: id } }]
    : [];
  const located: AccountEvent = { type: 'RemoteInboxesChanged', data: { account_id: id, ...inboxes } };
  if (known.state === 'none') {
    return [
      { type: 'AccountCreated', data: { id, username, domain, uri, url, created_at: createdAt, ...profile } },
      located,
      ...suspension,
    ];
  }
  // The id of a local account is never given to a URI.
  if (known.state !== 'exists' || known.suspended || known.gone || known.domain === null) return [];
  const relocated = relocation(known, remote, confirmedAt);
  if (!relocated) return [];
  if (suspended) return [...relocated, ...(known.suspendedThere ? [] : suspension)];
  const changes = changedFields(known.profile, {
    ...profile,
    ...(known.profile.group === true ? { group: profile.group === true } : {}),
    ...(known.profile.feature_policy ? { feature_policy: profile.feature_policy ?? null } : {}),
    fields: stillVerified(known.profile, profile),
  });
  return [
    ...relocated,
    ...(known.suspendedThere
      ? [{ type: 'RemoteAccountUnsuspended' as const, data: { account_id: id } }]
      : []),
    ...(changes ? [{ type: 'AccountUpdated' as const, data: { id, ...changes } }] : []),
    ...(isDeepStrictEqual(known.inboxes, inboxes) ? [] : [located]),
  ];
}
