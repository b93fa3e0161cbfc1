import { unauthorized } from '#kernel/errors.ts';
import { followersAt } from '#queries/federation/index.ts';
import { actorOf } from './actors.ts';
import { documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { synchronizationOf } from './documents/actor.ts';
import { ACTIVITY_STREAMS } from './documents/contexts.ts';

/**
 * `GET /users/:username/followers_synchronization`: the followers on the requesting server (FEP-8fcf).
 * @throws RookeryError `unauthorized` without a valid signature
 */
export async function showSynchronization(asked: DocumentRequest): Promise<DocumentResponse> {
  const actor = await actorOf(asked);
  const signer = await asked.signer();
  if (!signer) throw unauthorized('Request not signed');
  const orderedItems = await followersAt(asked.ctx.db, actor.id, new URL(signer.uri).origin);
  return documentReply({
    '@context': ACTIVITY_STREAMS,
    id: synchronizationOf(actor.uri),
    type: 'OrderedCollection',
    orderedItems,
  });
}
