import { hash } from 'node:crypto';
import { interactionStream } from '#events/interactions.ts';
import { statusStream } from '#events/statuses.ts';
import type { Id } from '#kernel/ids.ts';
import { namedPosts, type PostOfUri, recipientsOf } from '#queries/federation/index.ts';
import {
  type AskedInteraction,
  authorizationUri,
  interactionAnswer,
  type InteractionKind,
} from '../documents/authorizations.ts';
import type { ActivityContext } from './activity-context.ts';

/** An applied interaction with a local post. `id` is undefined if the policy refuses it. */
export interface Outcome {
  accountId: Id;
  post: PostOfUri;
  interacting: AskedInteraction['interacting'];
  /** The last part of the URI of its authorization. */
  id: string | undefined;
}

/**
 * Sends the answer to an interaction with a local post. `request` is undefined if the interaction was sent
 * without a request. The same answer to the same request is queued once.
 */
export async function answerInteraction(
  { ctx, activity: { actor } }: ActivityContext,
  { accountId, post, id, ...asked }: Outcome & Pick<AskedInteraction, 'kind' | 'request'>,
): Promise<void> {
  const [target] = await namedPosts(ctx.db, [post.id]);
  if (!target) return;
  const { author_uri: author, account_id: sender } = target;
  const { inboxes } = await recipientsOf(ctx, { accounts: [accountId], personally: true, author: sender });
  const interaction: AskedInteraction = { ...asked, actor, target: target.uri };
  const name = hash('sha256', JSON.stringify([interaction, id]));
  const authorization = id === undefined ? undefined : authorizationUri(author, asked.kind, id);
  const document = interactionAnswer(
    `${author}#interaction_answers/${name}`,
    author,
    interaction,
    authorization,
  );
  const subject =
    asked.kind === 'reply' && id !== undefined ? statusStream(id) : interactionStream(accountId, post.id);
  const delivery = { key: `interaction-answer/${name}`, sender, statusId: null, document, subject };
  await ctx.services.deliveries.queue(delivery, inboxes);
}

/**
 * Accepts an interaction with a followers-only post that was sent without a request. Its policy allows
 * followers, whose collection other servers cannot read, so they need an explicit answer.
 */
export async function acceptFromFollower(
  context: ActivityContext,
  kind: InteractionKind,
  outcome: Outcome & { id: string },
): Promise<void> {
  if (!outcome.post.local || outcome.post.visibility !== 'private') return;
  await answerInteraction(context, { ...outcome, kind, request: undefined });
}
