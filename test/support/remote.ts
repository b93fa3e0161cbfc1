import type { App } from '#app/app.ts';
import { account } from '#commands/accounts/index.ts';
import { decideAuthorize, decideFollow, relationship } from '#commands/relationships/index.ts';
import { type AccountEvent, accountStream, emptyProfile } from '#events/accounts.ts';
import { relationshipStream } from '#events/relationships.ts';
import { followFacts } from '#queries/accounts/index.ts';

/** Creates an account of another server, as federation does, with an inbox at its URI. @returns its id */
export async function remoteAccount(app: App, username: string, domain: string): Promise<string> {
  const ctx = app.systemContext('spec');
  const id = ctx.newId();
  const uri = `https://${domain}/users/${username}`;
  const created: AccountEvent = {
    type: 'AccountCreated',
    data: { id, username, domain, uri, url: uri, created_at: ctx.now, ...emptyProfile },
  };
  const located: AccountEvent = {
    type: 'RemoteInboxesChanged',
    data: {
      account_id: id,
      inbox: `${uri}/inbox`,
      shared_inbox: `https://${domain}/inbox`,
      followers_uri: null,
    },
  };
  await ctx.execute(accountStream(id), account, () => [created, located]);
  await ctx.waitForReadModels();
  return id;
}

/** Lets any account follow another one, or request to. */
export async function letFollow(app: App, accountId: string, targetId: string): Promise<void> {
  const ctx = app.systemContext('spec');
  const facts = await followFacts(ctx.db, accountId, targetId);
  const command = { id: ctx.newId(), account_id: accountId, target_account_id: targetId, settings: {} };
  await ctx.execute(relationshipStream(accountId, targetId), relationship, (state) =>
    decideFollow(state, command, facts),
  );
  await ctx.waitForReadModels();
}

/** Suspends any account, as a moderator does. */
export async function suspendAccount(app: App, accountId: string): Promise<void> {
  const ctx = app.systemContext('spec');
  const suspended: AccountEvent = { type: 'AccountSuspended', data: { account_id: accountId } };
  await ctx.execute(accountStream(accountId), account, () => [suspended]);
  await ctx.waitForReadModels();
}

/** Lets any account accept a follow request. */
export async function letAccept(app: App, accountId: string, followerId: string): Promise<void> {
  const ctx = app.systemContext('spec');
  const pair = { account_id: followerId, target_account_id: accountId };
  await ctx.execute(relationshipStream(accountId, followerId), relationship, (state) =>
    decideAuthorize(state, pair),
  );
  await ctx.waitForReadModels();
}
