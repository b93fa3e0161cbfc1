import { applyRemoteFavourite } from '#commands/federation/index.ts';
import type { InteractionKind } from '../documents/authorizations.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, typesOf } from '../remote/json.ts';
import { postOf } from '../remote/post.ts';
import { RemoteError } from '../remote/remote-error.ts';
import {
  type ActivityContext,
  type Handler,
  seenPost,
  senderOf,
  trustedDocument,
} from './activity-context.ts';
import { answerInteraction, type Outcome } from './interaction-answers.ts';
import { keepAnnounce, ownPost, targetOf } from './interactions.ts';
import { keepRequested } from './kept-posts.ts';
import { assertAuthoredBySender } from './posts.ts';

/*
 * Requests of other servers to reply to, like or announce a local post. The policy of the post answers at once; nothing is answered
 * about a post that the sender cannot see. https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

type Perform = (
  context: ActivityContext,
  uri: string,
  instrument: RemoteDocument,
) => Promise<Outcome | undefined>;

const request =
  (kind: InteractionKind, perform: Perform): Handler =>
  async (context) => {
    const { activity } = context;
    const uri = idOf(activity.object);
    // The sender is stored only if the post exists.
    if (uri === undefined || !(await ownPost(context, uri))) return;
    const outcome = await perform(
      context,
      uri,
      await trustedDocument(context, activity.document['instrument']),
    );
    if (outcome) await answerInteraction(context, { ...outcome, kind, request: { name: activity.id } });
  };

export const replyRequest = request('reply', async (context, uri, instrument) => {
  const post = assertAuthoredBySender(context, postOf(instrument, context.ctx.now, context));
  if (post.inReplyTo !== uri) throw new RemoteError('asks for a reply that its post is not');
  const accountId = await senderOf(context);
  const seen = await seenPost(context, uri, accountId);
  if (!seen) return undefined;
  const id = await keepRequested(context, post, accountId);
  return { accountId, post: seen, interacting: { uri: post.uri, type: 'Note' }, id };
});

export const likeRequest = request('like', async (context, uri, instrument) => {
  const { id: name } = assertAct(context, 'Like', uri, instrument);
  const accountId = await senderOf(context);
  const post = await seenPost(context, uri, accountId);
  if (!post) return undefined;
  const interacting = { uri: name, type: 'Like' };
  if (await context.tombstones.has(context.activity.actor, name))
    return { accountId, post, interacting, id: undefined };
  await applyRemoteFavourite(context.ctx, { ...targetOf(post, accountId), uri: name });
  return { accountId, post, interacting, id: `${post.id}/${accountId}` };
});

export const announceRequest = request('announce', async (context, uri, instrument) => {
  const { id: name, document } = assertAct(context, 'Announce', uri, instrument);
  const accountId = await senderOf(context);
  const post = await seenPost(context, uri, accountId);
  if (!post) return undefined;
  const isForEverybody = post.visibility === 'public' || post.visibility === 'unlisted';
  const isAllowed = isForEverybody && !(await context.tombstones.has(context.activity.actor, name));
  const id = isAllowed ? await keepAnnounce(context, { name, document, accountId, uri, post }) : undefined;
  return { accountId, post, interacting: { uri: name, type: 'Announce' }, id };
});

/** @throws RemoteError unless the instrument is this interaction of the sender with this post */
function assertAct(
  { activity }: ActivityContext,
  type: string,
  uri: string,
  instrument: RemoteDocument,
): RemoteDocument {
  const { document } = instrument;
  const isMeant = typesOf(document).includes(type) && idOf(document['object']) === uri;
  if (!isMeant || idOf(document['actor'] ?? document['attributedTo']) !== activity.actor) {
    throw new RemoteError(`asks for a ${type} that its instrument is not`);
  }
  return instrument;
}
