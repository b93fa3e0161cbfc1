import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { postingUsername } from '#queries/statuses/index.ts';
import { failPublication, publicationOf } from '../scheduled-statuses/index.ts';
import { createPost } from './create.ts';
import { inputOf } from './schedule.ts';

/** The codes of permanent failures. */
const FINAL = new Set(['invalid', 'not_found', 'forbidden', 'gone']);

/**
 * Publishes a claimed scheduled post. A repeat publishes nothing twice, because the claim drew the id of the
 * post. A post that can no longer be published is recorded as failed, and a reactor releases its uploads.
 */
export async function publishScheduled(ctx: CommandContext, scheduledId: string): Promise<void> {
  const publication = await publicationOf(ctx, scheduledId);
  if (!publication) return;
  const { data, statusId, pollId } = publication;
  const username = await postingUsername(ctx.db, data.account_id);
  if (username === undefined) return failPublication(ctx, scheduledId, 'The author may not post');
  const author = { id: data.account_id, username, applicationId: data.application_id };
  try {
    await createPost(ctx, author, { id: statusId, pollId, input: inputOf(data) }, scheduledId);
  } catch (error) {
    if (!isRookeryError(error) || !FINAL.has(error.code)) throw error;
    await failPublication(ctx, scheduledId, error.message);
  }
}
