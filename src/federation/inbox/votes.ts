import { voteFromElsewhere } from '../../../commands/federation/index.ts';
import { pollSeenBy } from '../../../queries/polls/index.ts';
import type { Ballot } from '../remote/ballots.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, listOf } from '../remote/json.ts';
import { Refusal } from '../remote/refusal.ts';
import { ownPost } from './interactions.ts';
import { seenPost, senderOf, type Work } from './work.ts';

/** Counts a vote of the sender's own for one option. @throws Refusal, RookeryError */
export async function takeVote(
  work: Work,
  { document }: RemoteDocument,
  { uri, title }: Ballot,
): Promise<void> {
  if (idOf(listOf(document['attributedTo'], 1)[0]) !== work.activity.actor) {
    throw new Refusal('sent a vote of somebody else');
  }
  if ((await ownPost(work, uri))?.poll_id == null) return;
  const accountId = await senderOf(work);
  const post = await seenPost(work, uri, accountId);
  const poll = post?.poll_id == null ? undefined : await pollSeenBy(work.ctx.db, post.poll_id, accountId);
  if (!poll) return;
  await voteFromElsewhere(work.ctx, { accountId, title }, { ...poll, id: poll.poll_id });
}
