import type { AccountKeysRotated } from '#events/federation.ts';
import type { ReportFiled } from '#events/reports.ts';
import type { RecordedOf } from '#kernel/event.ts';
import type { PublicKeys } from '#kernel/services/federation.ts';
import { localActorById, namedAccounts, namedPosts } from '#queries/federation/index.ts';
import { actorDocument, placesOf } from '../documents/actor.ts';
import { ACTOR_CONTEXT, POST_CONTEXT, PUBLIC } from '../documents/contexts.ts';
import { type Outgoing, plainActivity } from './outgoing.ts';

/**
 * Sends the present account, suspended or not, to its followers and to servers that have its posts:
 * https://docs.joinmastodon.org/spec/activitypub/#suspended
 */
export const actorUpdate = (accountId: string, change: string, rotated?: Partial<PublicKeys>): [Outgoing] => [
  {
    sender: accountId,
    relayed: true,
    audience: { followersOf: accountId, readersOf: accountId },
    compose: async (ctx) => {
      const actor = await localActorById(ctx.db, accountId);
      if (!actor) return undefined;
      const keys = { ...(await ctx.services.actorKeys.publicKeys(accountId)), ...rotated };
      const { '@context': _, ...object } = actorDocument(actor, keys, ctx.instance);
      return {
        '@context': ACTOR_CONTEXT,
        id: `${actor.uri}#updates/${change}`,
        type: 'Update',
        actor: actor.uri,
        to: [PUBLIC],
        object,
      };
    },
  },
];

/**
 * Sends the account with its new key, signed with the former one. The event contains the new one, so every
 * process has it.
 */
export const keyRotation = (
  {
    account_id,
    retired_key,
    public_key: publicKeyPem,
    assertion_key: assertionKey,
  }: RecordedOf<typeof AccountKeysRotated>['data'],
  change: string,
): Outgoing[] =>
  actorUpdate(account_id, change, {
    publicKeyPem,
    ...(assertionKey === undefined ? {} : { assertionKey }),
  }).map((one) => ({ ...one, retiredKey: retired_key }));

/**
 * Adds a hashtag to a profile, or removes it. The target is the collection of pinned posts: Mastodon expects
 * that, and recognises hashtags by their type.
 */
export const featuredTag = (
  type: 'Add' | 'Remove',
  { account_id: accountId, tag, name = tag }: { account_id: string; tag: string; name?: string },
  change: string,
): Outgoing[] => [
  {
    sender: accountId,
    audience: { followersOf: accountId },
    compose: async (ctx) => {
      const account = await localActorById(ctx.db, accountId);
      if (!account || account.suspended) return undefined;
      const { uri: actor, url } = account;
      const { followers, featured: target } = placesOf(actor);
      const object = { type: 'Hashtag', href: `${url}/tagged/${encodeURIComponent(tag)}`, name: `#${name}` };
      const activity = { type, actor, to: [PUBLIC], cc: [followers], object, target };
      return { '@context': POST_CONTEXT, id: `${actor}#tags/${change}`, ...activity };
    },
  },
];

/** Followers move too; their servers first check that the new account names the old one as an alias. */
export const move = (accountId: string, targetId: string, change: string): Outgoing[] => [
  ...actorUpdate(accountId, change),
  {
    sender: accountId,
    audience: { followersOf: accountId },
    compose: async (ctx) => {
      const found = await namedAccounts(ctx.db, [accountId, targetId]);
      const old = found.get(accountId);
      const target = found.get(targetId);
      if (old?.domain !== null || !target) return undefined;
      const { uri: actor } = old;
      return plainActivity({
        id: `${actor}#moves/${change}`,
        type: 'Move',
        actor,
        to: [placesOf(actor).followers],
        object: actor,
        target: target.uri,
      });
    },
  },
];

/** Every server that may know the account deletes it, and cannot restore it. */
export const actorDeletion = (accountId: string): Outgoing[] => [
  {
    sender: accountId,
    relayed: true,
    audience: { everybody: true },
    compose: async (ctx) => {
      const account = (await namedAccounts(ctx.db, [accountId])).get(accountId);
      if (account?.domain !== null) return undefined;
      const { uri } = account;
      return plainActivity({ id: `${uri}#delete`, type: 'Delete', actor: uri, to: [PUBLIC], object: uri });
    },
  },
];

/**
 * Sent in the name of the server, so that the reporter stays private.
 * https://docs.joinmastodon.org/spec/activitypub/#Flag
 */
export const report = ({
  id,
  target_account_id,
  statuses,
  comment,
  forward,
}: RecordedOf<typeof ReportFiled>['data']): Outgoing[] =>
  forward
    ? [
        {
          sender: null,
          audience: { accounts: [target_account_id], personally: true },
          compose: async (ctx) => {
            const ids = statuses.map((status) => status.id);
            const [accounts, posts] = await Promise.all([
              namedAccounts(ctx.db, [target_account_id]),
              namedPosts(ctx.db, ids),
            ]);
            const target = accounts.get(target_account_id);
            if (!target) return undefined;
            const actor = `${ctx.instance.origin}/actor`;
            return plainActivity({
              id: `${actor}#reports/${id}`,
              type: 'Flag',
              actor,
              content: comment,
              to: target.uri,
              object: [target.uri, ...posts.map(({ uri }) => uri)],
            });
          },
        },
      ]
    : [];
