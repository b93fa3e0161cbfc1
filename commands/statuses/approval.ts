import type { UserContext } from '#kernel/context.ts';
import { forbidden } from '#kernel/errors.ts';
import { approvalOf } from '#queries/federation/index.ts';
import type { TargetStatus } from '#queries/statuses/index.ts';

/** Whether the author of a post must approve an interaction first, and the form of the request. */
export interface NeededApproval {
  isNeeded: boolean;
  polite: boolean;
}

const REFUSALS = {
  like: 'The author of this post does not allow you to favourite it',
  announce: 'The author of this post does not allow you to boost it',
};

/** @throws RookeryError `forbidden` when the policy of the post does not allow this user the interaction */
export async function requireApproval(
  { db, viewer }: UserContext,
  { id, policied }: Pick<TargetStatus, 'id' | 'policied'>,
  kind: keyof typeof REFUSALS,
): Promise<NeededApproval> {
  if (!policied) return { isNeeded: false, polite: false };
  const { approval, polite } = await approvalOf(db, kind, id, viewer.account_id);
  if (approval === 'forbidden') throw forbidden(REFUSALS[kind]);
  return { isNeeded: approval === 'required', polite };
}
