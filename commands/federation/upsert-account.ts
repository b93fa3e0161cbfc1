import { isDeepStrictEqual } from 'node:util';
import { accountStream, type AccountEvent, type Profile } from '../../src/events/accounts.ts';
import type { Inboxes } from '../../src/events/federation.ts';
import { verifiedAt } from '../../src/events/verified-links.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { changedFields } from '../../src/kernel/changed-fields.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { account, type Account } from '../accounts/index.ts';
import { isHidden } from './moves.ts';
import { claimHandle, claimUri } from './claims.ts';

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
 * Makes an account of another server known, or takes over what changed. The same URI is always the same account, and a handle
 * stays with the URI that had it first.
 * @returns its id; undefined when the URI or the handle is something else here, or the account is suspended here or there, or gone
 */
export async function upsertRemoteAccount(
  ctx: CommandContext,
  remote: RemoteAccount,
): Promise<Id | undefined> {
  const id = await claimUri(ctx, remote.uri, 'account', ctx.newId());
  if (id === undefined) return undefined;
  const handle = `${remote.username}@${remote.domain}`.toLowerCase();
  if (!(await claimHandle(ctx, handle, id))) return undefined;
  const { state } = await ctx.execute(accountStream(id), account, (known) =>
    decideUpsertRemoteAccount(known, id, remote),
  );
  return state.state === 'exists' && !isHidden(state) ? id : undefined;
}

/** Returns the new fields. A field whose value stays is still verified. */
const stillVerified = (known: Profile, { fields }: Profile): Profile['fields'] =>
  fields.map((field) => ({ ...field, verified_at: verifiedAt(known.fields, field.value) }));

/**
 * Returns the changes of the account. A locally suspended account changes nothing (GHSA-5h2f-wg8j-xqwp); an
 * account that its own server suspends keeps its profile until it returns. Pure.
 */
export function decideUpsertRemoteAccount(known: Account, id: Id, remote: RemoteAccount): AccountEvent[] {
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
  // The id of a local account is never given to a URI; the handle stays.
  if (known.state !== 'exists' || known.suspended || known.gone || known.domain !== domain) return [];
  if (suspended) return known.suspendedThere ? [] : suspension;
  const changes = changedFields(known.profile, {
    ...profile,
    ...(known.profile.group === true ? { group: profile.group === true } : {}),
    fields: stillVerified(known.profile, profile),
  });
  return [
    ...(known.suspendedThere
      ? [{ type: 'RemoteAccountUnsuspended' as const, data: { account_id: id } }]
      : []),
    ...(changes ? [{ type: 'AccountUpdated' as const, data: { id, ...changes } }] : []),
    ...(isDeepStrictEqual(known.inboxes, inboxes) ? [] : [located]),
  ];
}
