import { type CollectionEvent, collectionStream } from '#events/collections.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import {
  type Collection,
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
  type RemoteCollection,
  type RemoteItem,
} from '../collections/index.ts';
import { claimUri } from './claims.ts';

/*
 * Collections between servers. Each action has a step of its own, because one activity may lead to several.
 */

/** A remote collection. */
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
 * Stores a remote collection, or its changes. A stop after the claim of its URI leaves an id without a
 * collection, which the next call continues with.
 * @returns its id; undefined when the URI names something else here
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

/**
 * Adds a local account to a remote collection. @returns the id of its item; undefined when it is not in it
 */
export async function featureHere(
  ctx: CommandContext,
  { id, ownerId }: RemoteOwned,
  accountId: Id,
): Promise<Id | undefined> {
  const item = { id: ctx.newId(), account_id: accountId, created_at: ctx.now };
  const { state } = await change(ctx, id, 'feature', (now) => decideFeature(now, ownerId, item));
  return state?.account_id === ownerId ? itemOfAccount(state, accountId) : undefined;
}

/**
 * Adds an item of a remote account, whose consent is still unknown. @returns its id; undefined when it is not
 * in it
 */
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

/** Removes the items of a collection whose URIs are not kept. */
export const keepItems = async (
  ctx: CommandContext,
  { id, ownerId }: RemoteOwned,
  isKept: (uri: string) => boolean,
): Promise<void> => {
  await change(ctx, id, 'keep-items', (now) => decideKeep(now, ownerId, isKept));
};

/** Records the claimed authorization of an item. @returns whether the item waits for its verification */
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

/** The account of an item revokes its authorization. */
export const withdrawItem = async (
  ctx: CommandContext,
  { collectionId, ...consenting }: FeaturedItem,
  authorization: string,
): Promise<void> => {
  await change(ctx, collectionId, `withdraw ${consenting.itemId}`, (now) =>
    decideWithdrawItem(now, consenting, authorization),
  );
};
