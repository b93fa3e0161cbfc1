import { applyRemoteVote, mayVoteAsStranger } from '#commands/federation/index.ts';
import { siteOf } from '#commands/text/registrable-domain.ts';
import { pollSeenBy, pollVoters } from '#queries/polls/index.ts';
import type { Ballot } from '../remote/ballots.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, listOf } from '../remote/json.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { type ActivityContext, seenPost, senderOf } from './activity-context.ts';
import { ownPost } from './interactions.ts';

/** Applies a vote of the sender for one option. @throws RemoteError, RookeryError */
export async function applyVote(
  context: ActivityContext,
  { document }: RemoteDocument,
  { uri, title }: Ballot,
): Promise<void> {
  const { ctx, activity, known } = context;
  if (idOf(listOf(document['attributedTo'], 1)[0]) !== activity.actor) {
    throw new RemoteError('sent a vote of somebody else');
  }
  const pollId = (await ownPost(context, uri))?.poll_id;
  if (pollId == null) return;
  const site = siteOf(new URL(activity.actor).host);
  const voters = await pollVoters(ctx.db, pollId, site);
  // Checked before the account is stored, because actors cost their server nothing.
  if (!known && !mayVoteAsStranger(voters)) throw new RemoteError('sent too many votes of unknown accounts');
  const accountId = await senderOf(context);
  const post = await seenPost(context, uri, accountId);
  const poll = post?.poll_id == null ? undefined : await pollSeenBy(ctx.db, post.poll_id, accountId);
  if (!poll) return;
  // Ids rise with time.
  const stranger = BigInt(accountId) > BigInt(pollId) ? { site, ...voters } : undefined;
  await applyRemoteVote(ctx, { accountId, title, stranger, poll });
}
