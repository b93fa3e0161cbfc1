import { applyRemoteFavourite } from '../../../../commands/federation/index.ts';
import type { InteractionKind } from '../documents/authorizations.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, typesOf } from '../remote/json.ts';
import { postOf } from '../remote/post.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { answerInteraction, type Outcome } from './interaction-answers.ts';
import { keepAnnounce, ownPost, targetOf } from './interactions.ts';
import { keepRequested } from './kept-posts.ts';
import { assertAuthoredBySender } from './posts.ts';
import {
  trustedDocument,
  seenPost,
  senderOf,
  type Handler,
  type ActivityContext,
} from './activity-context.ts';

/*
 * Requests of other servers to reply to, like or announce a local post. The policy of the post answers at once; nothing is answered
 * about a post that the sender cannot see. https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

type Perform = (
  work: ActivityContext,
  uri: string,
  instrument: RemoteDocument,
) => Promise<Outcome | undefined>;

const request =
  (kind: InteractionKind, perform: Perform): Handler =>
  async (work) => {
    const { activity } = work;
    const uri = idOf(activity.object);
    // The sender is stored only if the post exists.
    if (uri === undefined || !(await ownPost(work, uri))) return;
    const outcome = await perform(work, uri, await trustedDocument(work, activity.document['instrument']));
    if (outcome) await answerInteraction(work, { ...outcome, kind, request: { name: activity.id } });
  };

export const replyRequest = request('reply', async (work, uri, instrument) => {
  const post = assertAuthoredBySender(work, postOf(instrument, work.ctx.now, work));
  if (post.inReplyTo !== uri) throw new RemoteError('asks for a reply that its post is not');
  const accountId = await senderOf(work);
  const seen = await seenPost(work, uri, accountId);
  if (!seen) return undefined;
  const id = await keepRequested(work, post, accountId);
  return { accountId, post: seen, interacting: { uri: post.uri, type: 'Note' }, id };
});

export const likeRequest = request('like', async (work, uri, instrument) => {
  const { id: name } = assertAct(work, 'Like', uri, instrument);
  const accountId = await senderOf(work);
  const post = await seenPost(work, uri, accountId);
  if (!post) return undefined;
  const interacting = { uri: name, type: 'Like' };
  if (await work.tombstones.has(work.activity.actor, name))
    return { accountId, post, interacting, id: undefined };
  await applyRemoteFavourite(work.ctx, targetOf(post, accountId), name);
  return { accountId, post, interacting, id: `${post.id}/${accountId}` };
});

export const announceRequest = request('announce', async (work, uri, instrument) => {
  const { id: name, document } = assertAct(work, 'Announce', uri, instrument);
  const accountId = await senderOf(work);
  const post = await seenPost(work, uri, accountId);
  if (!post) return undefined;
  const isForEverybody = post.visibility === 'public' || post.visibility === 'unlisted';
  const isAllowed = isForEverybody && !(await work.tombstones.has(work.activity.actor, name));
  const id = isAllowed ? await keepAnnounce(work, { name, document, accountId, uri, post }) : undefined;
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
