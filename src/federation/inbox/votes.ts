import { voteFromElsewhere } from '../../../commands/federation/index.ts';
import { pollSeenBy } from '../../../queries/polls/index.ts';
import { ownIdIn } from '../../../queries/federation/index.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, listOf, textOf, typesOf } from '../remote/json.ts';
import { Refusal } from '../remote/refusal.ts';
import { ownPost } from './interactions.ts';
import { seenPost, senderOf, type Work } from './work.ts';

const MAX_TITLE = 5_000;

/** Whether a note is a vote in a poll of ours: a name that answers it, and no text. https://docs.joinmastodon.org/spec/activitypub/#poll-specific-properties */
export function isVote({ instance }: Work, { document }: RemoteDocument): boolean {
  const answered = idOf(listOf(document['inReplyTo'], 1)[0]);
  return (
    typesOf(document).includes('Note') &&
    textOf(document['name'], 1) !== '' &&
    textOf(document['content'], 1) === '' &&
    answered !== undefined &&
    ownIdIn(answered, instance) !== null
  );
}

/** Counts a vote of the sender's own for one option. @throws Refusal, RookeryError */
export async function takeVote(work: Work, { document }: RemoteDocument): Promise<void> {
  if (idOf(listOf(document['attributedTo'], 1)[0]) !== work.activity.actor) {
    throw new Refusal('sent a vote of somebody else');
  }
  const uri = idOf(listOf(document['inReplyTo'], 1)[0]) ?? '';
  if ((await ownPost(work, uri))?.poll_id == null) return;
  const accountId = await senderOf(work);
  const post = await seenPost(work, uri, accountId);
  const poll = post?.poll_id == null ? undefined : await pollSeenBy(work.ctx.db, post.poll_id, accountId);
  if (!poll) return;
  const title = textOf(document['name'], MAX_TITLE);
  await voteFromElsewhere(work.ctx, { accountId, title }, { ...poll, id: poll.poll_id });
}
