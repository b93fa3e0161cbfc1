import { collectionStream, type CollectionEvent } from '../../src/events/collections.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import {
  collection,
  decideAccept,
  decideFeature,
  decideForget,
  decideKeep,
  decideName,
  decidePropose,
  decideReject,
  decideRememberCollection,
  decideTakeItem,
  decideWithdrawItem,
  itemOfAccount,
  type Collection,
  type RemoteCollection,
  type RemoteItem,
} from '../collections/index.ts';
import { claimUri } from './claims.ts';

/*
 * Collections between servers. Each act has a step of its own, for one activity may lead to several.
 */

/** A collection of an account of another server. */
export interface RemoteOwned {
  id: Id;
  ownerId: Id;
}
/** An item of a collection, and the account that decides about it. */
export interface FeaturedItem {
  collectionId: Id;
  itemId: Id;
  accountId: Id;
}

async function change(
  ctx: CommandContext,
  id: Id,
  step: string,
  decide: (state: Collection) => CollectionEvent[],
): Promise<{ state: Collection; events: readonly CollectionEvent[] }> {
  return ctx.execute(collectionStream(id), collection, decide, { step });
}

/**
 * Makes a collection of another server known, or takes over what changed.
 * @returns its id; undefined when the URI is something else here
 */
export async function upsertRemoteCollection(
  ctx: CommandContext,
  ownerId: Id,
  remote: RemoteCollection,
): Promise<Id | undefined> {
  const id = await claimUri(ctx, remote.uri, 'collection', ctx.newId());
  if (id === undefined) return undefined;
  const moment = { updateId: ctx.newId(), now: ctx.now };
  const { state } = await change(ctx, id, 'remember-collection', (now) =>
    decideRememberCollection(now, id, ownerId, remote, moment),
  );
  return state?.account_id === ownerId ? id : undefined;
}

export const forgetCollection = async (ctx: CommandContext, { id, ownerId }: RemoteOwned): Promise<void> => {
  await change(ctx, id, 'forget-collection', (now) => decideForget(now, ownerId));
};

/** Puts a local account into a collection of another server. @returns the id of its item; undefined where it is not in it */
export async function featureHere(
  ctx: CommandContext,
  { id, ownerId }: RemoteOwned,
  accountId: Id,
): Promise<Id | undefined> {
  const item = { id: ctx.newId(), account_id: accountId, created_at: ctx.now };
  const { state } = await change(ctx, id, 'feature', (now) => decideFeature(now, ownerId, item));
  return state?.account_id === ownerId ? itemOfAccount(state, accountId) : undefined;
}

/** Takes an item of an account of another server in, until it is known whether that agrees. @returns its id; undefined where it is not there */
export async function takeItem(
  ctx: CommandContext,
  { id, ownerId }: RemoteOwned,
  item: Omit<RemoteItem, 'id'>,
): Promise<Id | undefined> {
  const taken = { ...item, id: ctx.newId() };
  const { state } = await change(ctx, id, `take ${item.uri}`, (now) => decideTakeItem(now, ownerId, taken));
  const itemId = state?.account_id === ownerId ? itemOfAccount(state, item.account_id) : undefined;
  if (itemId !== undefined) await nameItem(ctx, { id, ownerId }, item.account_id, item.uri);
  return itemId;
}

export const nameItem = async (
  ctx: CommandContext,
  { id, ownerId }: RemoteOwned,
  accountId: Id,
  uri: string,
): Promise<void> => {
  await change(ctx, id, `name ${uri}`, (now) => decideName(now, ownerId, accountId, uri));
};

/** Takes out the items of a collection whose URIs are not kept. */
export const keepItems = async (
  ctx: CommandContext,
  { id, ownerId }: RemoteOwned,
  isKept: (uri: string) => boolean,
): Promise<void> => {
  await change(ctx, id, 'keep-items', (now) => decideKeep(now, ownerId, isKept));
};

/** Notes the authorization that an item is said to have. @returns whether the item waits for that one to be looked at */
export async function proposeItem(
  ctx: CommandContext,
  { collectionId, ...consenting }: FeaturedItem,
  authorization: string,
): Promise<boolean> {
  const { state } = await change(ctx, collectionId, `propose ${consenting.itemId}`, (now) =>
    decidePropose(now, consenting, authorization),
  );
  const item = state?.items.get(consenting.itemId);
  return item?.state === 'pending' && item.authorization === authorization;
}

export const acceptItem = async (
  ctx: CommandContext,
  { collectionId, ...consenting }: FeaturedItem,
  authorization: string,
): Promise<void> => {
  await change(ctx, collectionId, `accept ${consenting.itemId}`, (now) =>
    decideAccept(now, consenting, authorization),
  );
};

export const rejectItem = async (
  ctx: CommandContext,
  { collectionId, ...consenting }: FeaturedItem,
): Promise<void> => {
  await change(ctx, collectionId, `reject ${consenting.itemId}`, (now) => decideReject(now, consenting));
};

/** The account of an item takes its authorization back. */
export const withdrawItem = async (
  ctx: CommandContext,
  { collectionId, ...consenting }: FeaturedItem,
  authorization: string,
): Promise<void> => {
  await change(ctx, collectionId, `withdraw ${consenting.itemId}`, (now) =>
    decideWithdrawItem(now, consenting, authorization),
  );
};
