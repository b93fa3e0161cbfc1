import { approveInteraction, rejectInteraction } from '#commands/federation/index.ts';
import { type Id, isId } from '#kernel/ids.ts';
import { interactionRequest } from '#queries/federation/index.ts';
import { isInteractionRequest, ownInteractionId } from '../documents/authorizations.ts';
import { idOf, isObject, typesOf } from '../remote/json.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { ActivityContext } from './activity-context.ts';
import { revokeApproval } from './revocations.ts';

/**
 * Returns the id of the reply, reblog or favourite of a local user that an answer names, by its request or by
 * its own URI.
 */
export function answeredInteraction({ activity: { object }, instance }: ActivityContext): Id | undefined {
  const isRequest = isObject(object) && isInteractionRequest(typesOf(object));
  const named = isRequest ? idOf(object['instrument']) : idOf(object);
  const id = named === undefined ? undefined : ownInteractionId(named, instance.origin);
  return id !== undefined && isId(id) ? id : undefined;
}

/**
 * Applies the answer to a request of a local user. Only the author of the post may answer, so the answer
 * itself is proof enough; servers before GoToSocial 0.19 serve the `Accept` itself as the authorization. A
 * later `Reject` revokes the approval. https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */
export async function answerToInteraction(
  context: ActivityContext,
  how: 'accept' | 'reject',
  id: Id,
): Promise<void> {
  const { ctx, known, activity, documents } = context;
  const request = known && (await interactionRequest(ctx.db, id, known.id));
  if (!request) {
    if (how === 'reject') await revokeApproval(context, { by: 'id', name: id });
    return;
  }
  const { object } = activity;
  const isOfAnother =
    isObject(object) &&
    isInteractionRequest(typesOf(object)) &&
    (idOf(object['object']) ?? request.status_uri) !== request.status_uri;
  if (isOfAnother) return;
  if (how === 'reject') {
    await rejectInteraction(ctx, request);
    return;
  }
  const authorization = idOf(activity.document['result']) ?? activity.id ?? undefined;
  if (authorization === undefined) return;
  if (documents.assertForeign(authorization).origin !== new URL(activity.actor).origin) {
    throw new RemoteError('names an authorization that is not of the author of the post');
  }
  await approveInteraction(ctx, request, authorization);
}
