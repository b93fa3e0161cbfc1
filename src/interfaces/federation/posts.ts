import { notFound } from '#kernel/errors.ts';
import { isId, LARGEST_ID } from '#kernel/ids.ts';
import { type LocalActor, type LocalPost, localPost, publicThread } from '#queries/federation/index.ts';
import { actorOf, placeIn, urisReply } from './actors.ts';
import { documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { pagedCollection, wholeCollection } from './documents/collections.ts';
import { type Document, POST_CONTEXT } from './documents/contexts.ts';
import { activityDocument, conversationUri, postDocument, talliesOf, tombstone } from './documents/post.ts';
import { documentLink } from './negotiation.ts';

/** `GET /users/:username/statuses/:id`: the post, or its page. */
export const showPost = (asked: DocumentRequest): Promise<DocumentResponse> =>
  withPost(asked, (post) => {
    if (post.reblog_of !== null) throw notFound();
    if (asked.document) {
      const reply = documentReply(inContext(postDocument(post, asked.instance)));
      return { ...reply, headers: { ...reply.headers, Link: documentLink(post.uri) } };
    }
    return { redirect: post.url ?? post.uri };
  });

/** `GET /users/:username/statuses/:id/activity`: the activity that created the post or the reblog. */
export const showActivity = (asked: DocumentRequest): Promise<DocumentResponse> =>
  withPost(asked, (post) => documentReply(inContext(activityDocument(post, asked.instance))));

/** `GET /users/:username/statuses/:id/replies`: the public replies. */
export const showReplies = (asked: DocumentRequest): Promise<DocumentResponse> =>
  withPost(asked, (post) => {
    if (post.reblog_of !== null) throw notFound();
    const id = `${post.uri}/replies`;
    const before = placeIn(asked.query);
    return before === undefined
      ? documentReply(pagedCollection(id, 'Collection', { paged: true }))
      : urisReply(asked, id, 'Collection', { list: 'replies', of: post.id, before });
  });

/** `GET /users/:username/statuses/:id/likes` and `/shares`: the numbers; the accounts stay private. */
export const showTally =
  (list: 'likes' | 'shares') =>
  (asked: DocumentRequest): Promise<DocumentResponse> =>
    withPost(asked, (post) => {
      if (post.reblog_of !== null) throw notFound();
      return documentReply(inContext(talliesOf(post)[list]));
    });

/** `GET /contexts/:id`: the public posts of a thread. */
export async function showConversation({
  ctx,
  instance,
  params,
}: DocumentRequest): Promise<DocumentResponse> {
  const id = params['id'] ?? '';
  const uris = isId(id) ? await publicThread(ctx.db, id) : [];
  if (uris.length === 0) throw notFound();
  return documentReply(wholeCollection(conversationUri(id, instance), 'Collection', uris));
}

/** A post that the requesting server may not see gets the reply of a missing one. */
async function withPost(
  asked: DocumentRequest,
  answer: (post: LocalPost) => DocumentResponse | Promise<DocumentResponse>,
): Promise<DocumentResponse> {
  const id = asked.params['id'] ?? '';
  const actor = await actorOf(asked);
  if (!isId(id) || id === LARGEST_ID) throw notFound();
  const post = await localPost(asked.ctx.db, actor.id, id, await asked.signer());
  if (post === undefined) throw notFound();
  return post === 'gone' ? documentReply(tombstone(uriOf(actor, id)), 410) : answer(post);
}

const uriOf = ({ uri }: LocalActor, id: string): string => `${uri}/statuses/${id}`;

const inContext = (document: Document): Document => ({ '@context': POST_CONTEXT, ...document });
