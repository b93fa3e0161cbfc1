import { rejectItem } from '#commands/federation/index.ts';
import { isId } from '#kernel/ids.ts';
import { collectionItem } from '#queries/federation/index.ts';
import { featureRequestUri, OWN_FEATURE_REQUEST } from '../documents/featured-collections.ts';
import { checkFeatureAuthorization } from '../remote/feature-authorizations.ts';
import { idOf } from '../remote/json.ts';
import type { ActivityContext } from './activity-context.ts';

/**
 * Returns whether an `Accept` or `Reject` answers a request of this server to feature an account in a
 * collection.
 */
export const isFeatureAnswer = ({ activity: { object }, instance }: ActivityContext): boolean => {
  const request = idOf(object) ?? '';
  return request.startsWith(`${instance.origin}/`) && OWN_FEATURE_REQUEST.test(request);
};

/** Applies the answer. Only the requested account may answer, and its authorization is verified first. */
export async function featureAnswered(context: ActivityContext, how: 'accept' | 'reject'): Promise<void> {
  const { ctx, known, activity } = context;
  const request = idOf(activity.object) ?? '';
  const id = OWN_FEATURE_REQUEST.exec(request)?.[1];
  if (!known || id === undefined || !isId(id)) return;
  const item = await collectionItem(ctx.db, id, known.id);
  if (!item?.local || featureRequestUri(item.owner_uri, item.id) !== request) return;
  if (how === 'reject') {
    await rejectItem(ctx, { collectionId: item.collection_id, itemId: item.id, accountId: known.id });
    return;
  }
  const authorization = idOf(activity.document['result']);
  if (authorization !== undefined) await checkFeatureAuthorization(context, item, authorization);
}
