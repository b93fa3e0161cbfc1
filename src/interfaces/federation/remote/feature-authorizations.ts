import { acceptItem, proposeItem } from '#commands/federation/index.ts';
import type { JsonObject } from '#kernel/event.ts';
import { isId } from '#kernel/ids.ts';
import { collectionItem, type NamedItem } from '#queries/federation/index.ts';
import { recheckFeatureLater } from './feature-authorization-job.ts';
import { type Foreign, idOf, typesOf } from './json.ts';
import type { VerificationContext } from './quote-authorizations.ts';
import { ignoreRemoteError, isRemoteError, RemoteError } from './remote-error.ts';

/**
 * Accepts a collection item if its authorization exists at the origin of the account, and returns whether it
 * does. Like a quote authorization, its URI is stored before it is fetched: a revocation that arrives in
 * between finds the item by it. A failed fetch is repeated later. @throws RemoteError, FetchError
 */
export async function checkFeatureAuthorization(
  { ctx, documents, signal, tries = 0 }: VerificationContext,
  item: NamedItem,
  authorization: string,
): Promise<void> {
  if (documents.assertForeign(authorization).origin !== new URL(item.account_uri).origin) {
    throw new RemoteError('names an authorization that is not of the account');
  }
  const named = { collectionId: item.collection_id, itemId: item.id, accountId: item.account_id };
  if (!(await proposeItem(ctx, named, authorization))) return;
  const found = await documents.get(authorization, signal).catch(async (error: unknown) => {
    if (isRemoteError(error)) await recheckFeatureLater(ctx, item, tries);
    throw error;
  });
  if (found.id !== authorization || !allows(found.document, item)) {
    throw new RemoteError('names an authorization that does not allow the item');
  }
  await acceptItem(ctx, named, authorization);
}

/** Runs a `FEATURE_AUTHORIZATION_JOB`; does nothing when the item has been decided. */
export async function recheckFeatureAuthorization(
  looking: Omit<VerificationContext, 'tries'>,
  { id, account_id: accountId, tries }: JsonObject,
): Promise<void> {
  if (typeof id !== 'string' || typeof accountId !== 'string' || typeof tries !== 'number') return;
  if (!isId(id) || !isId(accountId)) return;
  const item = await collectionItem(looking.ctx.db, id, accountId);
  if (!item || item.accepted || item.authorization_uri === null) return;
  await checkFeatureAuthorization({ ...looking, tries }, item, item.authorization_uri).catch(
    ignoreRemoteError,
  );
}

const allows = (document: Foreign, { collection_uri, account_uri }: NamedItem): boolean =>
  typesOf(document).includes('FeatureAuthorization') &&
  idOf(document['interactingObject']) === collection_uri &&
  idOf(document['interactionTarget']) === account_uri;
