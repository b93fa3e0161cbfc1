import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { authorizedInteraction } from '#queries/federation/index.ts';
import { actorOf } from './actors.ts';
import { documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { authorizationDocument, authorizationUri, type InteractionKind } from './documents/authorizations.ts';

/**
 * `GET /users/:username/reply_authorizations/:id`, `announce_authorizations/:id` and
 * `like_authorizations/:id/:account`: the approval of an interaction with a post of the user, while they
 * allow it.
 */
export const showAuthorization =
  (kind: InteractionKind) =>
  async (asked: DocumentRequest): Promise<DocumentResponse> => {
    const { id = '', account } = asked.params;
    const { id: authorId, uri } = await actorOf(asked);
    const named = { id, ...(account === undefined ? {} : { accountId: account }) };
    const areIds = Object.values(named).every(isId);
    const found = areIds ? await authorizedInteraction(asked.ctx.db, kind, authorId, named) : undefined;
    if (!found) throw notFound();
    const name = authorizationUri(uri, kind, Object.values(named).join('/'));
    return documentReply(authorizationDocument(name, uri, kind, found));
  };
